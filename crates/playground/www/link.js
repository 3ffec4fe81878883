// Links that carry the code: JSON, compressed, in the alphabet of URLs. See RFC 1951 and RFC 4648, section 5.

/** Larger states are refused: 1 MB. */
const LARGEST = 1 << 20;

async function through(stream, bytes) {
  const transformed = new Blob([bytes]).stream().pipeThrough(stream);
  const parts = [];
  let size = 0;
  for (const reader = transformed.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > LARGEST) throw new Error("the link is too large");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Returns the text of a link for a state. */
export async function toLink(state) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(state)));
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns the state of a link; an error if it is none. */
export async function fromLink(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  const json = new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
  const state = JSON.parse(json);
  if (typeof state?.code !== "string") throw new Error("the link has no code");
  return state;
}
