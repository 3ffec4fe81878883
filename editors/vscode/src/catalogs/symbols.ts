// Finds the resource at the cursor in the outline of a document.

/** A symbol of an outline, in the protocol's form. */
export interface OutlineSymbol {
  readonly name: string;
  readonly kind: number;
  readonly range: {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
  };
  readonly children?: readonly OutlineSymbol[];
}

const CLASS = 5;
const OBJECT = 19;

/** Returns the reference of the innermost resource around a position, or else of the class. */
export function resourceAt(symbols: readonly OutlineSymbol[], line: number, character: number): string | undefined {
  const around = symbols.find(({ range: { start, end } }) => {
    const isAfterStart = line > start.line || (line === start.line && character >= start.character);
    const isBeforeEnd = line < end.line || (line === end.line && character <= end.character);
    return isAfterStart && isBeforeEnd;
  });
  if (around === undefined) {
    return undefined;
  }
  const inner = resourceAt(around.children ?? [], line, character);
  if (inner !== undefined) {
    return inner;
  }
  if (around.kind === OBJECT) {
    return reference(around.name);
  }
  return around.kind === CLASS ? reference(`class { ${around.name} }`) : undefined;
}

/** Returns the reference `File[/a]` for the name of a resource in an outline, `file { '/a' }`. */
export function reference(name: string): string {
  const [, type = "", title = ""] = /^@{0,2}((?:::)?[\w:]+)\s*\{\s*(.*?)\s*\}$/s.exec(name) ?? [];
  if (type === "") {
    return name;
  }
  const segments = type.replace(/^::/, "").split("::");
  const capitalized = segments.map((segment) => segment.charAt(0).toUpperCase() + segment.slice(1)).join("::");
  return `${capitalized}[${title.replace(/^(['"])(.*)\1$/s, "$2")}]`;
}
