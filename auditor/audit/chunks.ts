/** The elements in arrays of at most `size`. */
export function* inChunks<Element>(elements: Iterable<Element>, size: number): Generator<Element[]> {
  let chunk: Element[] = [];
  for (const element of elements) {
    chunk.push(element);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
