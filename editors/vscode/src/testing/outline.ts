// Finds the groups and examples of a spec file without running it.

/** A group or an example of a spec file. */
export interface SpecItem {
  readonly kind: "group" | "example";
  readonly label: string;
  /** Its first line, counted from 1, as RSpec does. */
  readonly line: number;
  readonly children: SpecItem[];
}

const ITEM =
  /^(\s*)(?:RSpec\.)?(describe|context|feature|it_behaves_like|it_should_behave_like|include_examples|it|its|specify|example|scenario)\b[ (]*(.*)$/;
const GROUPS = new Set(["describe", "context", "feature"]);
const SHARED = new Set(["it_behaves_like", "it_should_behave_like", "include_examples"]);

/**
 * Returns the items of a spec file, by the words that begin them and their indentation. Items of loops occur once here;
 * reports have all of their examples.
 */
export function specItems(text: string): SpecItem[] {
  const roots: SpecItem[] = [];
  const open: { indentation: number; item: SpecItem }[] = [];
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const [, space, word, rest] = ITEM.exec(line) ?? [];
    if (space === undefined || word === undefined || rest === undefined) {
      continue;
    }
    const isGroup = GROUPS.has(word);
    const item: SpecItem = { kind: isGroup ? "group" : "example", label: label(word, rest), line: at + 1, children: [] };
    while ((open.at(-1)?.indentation ?? -1) >= space.length) {
      open.pop();
    }
    (open.at(-1)?.item.children ?? roots).push(item);
    if (isGroup) {
      open.push({ indentation: space.length, item });
    }
  }
  return roots;
}

/** Returns the innermost item that contains a line: the last one that begins at or before it. */
export function itemAt(items: readonly SpecItem[], line: number): SpecItem | undefined {
  const around = items.filter((item) => item.line <= line).at(-1);
  return around === undefined ? undefined : (itemAt(around.children, line) ?? around);
}

function label(word: string, rest: string): string {
  const code = rest
    .replace(/\s+do\s*(\|[^|]*\|)?\s*$/, "")
    .replace(/^\{\s*(.*?)\s*\}?$/, "$1")
    .trim();
  const [, single, double] = /^(?:'([^']*)'|"([^"]*)")/.exec(code) ?? [];
  const text = single ?? double ?? code.replace(/\s*\{\s*$/, "").replace(/\)$/, (end) => (code.includes("(") ? end : ""));
  const shown = text === "" || text === "do" ? word : text;
  return SHARED.has(word) ? `behaves like ${shown}` : shown;
}
