const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * The first member that a JSON text names twice in one object, as a path such as `scope.intents`; null if there is none. Members with
 * one name but different escapes are the same. The text must be valid JSON.
 */
export function duplicateMember(json: string): string | null {
  /** The open objects and lists; a list has no names. */
  const open: { readonly names: Set<string> | null; readonly path: string; last: string }[] = [];
  let expectsName = false;
  for (const [token] of json.matchAll(TOKEN)) {
    const current = open.at(-1);
    if (token === '{' || token === '[') {
      const path = current ? childOf(current) : '';
      open.push({ names: token === '{' ? new Set() : null, path, last: '' });
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (token.startsWith('"') && expectsName && current?.names) {
      current.last = JSON.parse(token) as string;
      if (current.names.has(current.last)) return childOf(current);
      current.names.add(current.last);
    }
    expectsName = token === '{' || (token === ',' && Boolean(open.at(-1)?.names));
  }
  return null;
}

const childOf = ({ names, path, last }: { names: Set<string> | null; path: string; last: string }): string =>
  names ? [path, last].filter(Boolean).join('.') : `${path}[]`;
