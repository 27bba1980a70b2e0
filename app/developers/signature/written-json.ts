/** A JSON text with its numbers and escapes as they were written, and the order of its members. */
export type Written =
  | { readonly kind: 'object'; readonly members: readonly (readonly [name: string, value: Written])[] }
  | { readonly kind: 'list'; readonly elements: readonly Written[] }
  /** Anything else, as its token. */
  | { readonly kind: 'value'; readonly token: string };

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** @param json must be valid JSON */
export function parseWritten(json: string): Written {
  const tokens = json.match(TOKEN) ?? [];
  let at = 0;
  const value = (): Written => {
    const token = tokens[at++] ?? '';
    if (token === '{') {
      const members: (readonly [string, Written])[] = [];
      for (; tokens[at] !== '}' && at < tokens.length; at += tokens[at] === ',' ? 1 : 0) {
        const name = tokens[at] ?? '';
        at += 2;
        members.push([name, value()]);
      }
      at++;
      return { kind: 'object', members };
    }
    if (token === '[') {
      const elements: Written[] = [];
      for (; tokens[at] !== ']' && at < tokens.length; at += tokens[at] === ',' ? 1 : 0) elements.push(value());
      at++;
      return { kind: 'list', elements };
    }
    return { kind: 'value', token };
  };
  return value();
}

export interface Writing {
  /** Sorted at every depth, at the first only, or as written. */
  readonly order: 'sorted' | 'outside' | 'written';
  /** Of members that have one of these names only, at every depth, as the second argument of JSON.stringify has it. */
  readonly only: ReadonlySet<string> | null;
  /** What follows commas and colons; a number is an indent. */
  readonly space: '' | ' ' | 2 | 4;
  /** Numbers as in the canonical form, or as written. */
  readonly numbers: 'canonical' | 'written';
  /** Makes the token of a text, from the text and the token that was written. */
  readonly text: (text: string, token: string) => string;
}

/** The text of a value, written in some way. */
export function write(value: Written, writing: Writing, depth = 0): string {
  const { order, only, space, numbers, text } = writing;
  const isIndented = typeof space === 'number';
  const around = (open: string, parts: readonly string[], close: string): string => {
    if (parts.length === 0) return `${open}${close}`;
    if (!isIndented) return `${open}${parts.join(`,${space}`)}${close}`;
    const line = (level: number) => `\n${' '.repeat(space * level)}`;
    return `${open}${line(depth + 1)}${parts.join(`,${line(depth + 1)}`)}${line(depth)}${close}`;
  };
  switch (value.kind) {
    case 'object': {
      const named = value.members.map(([token, member]) => ({ token, name: JSON.parse(token) as string, member }));
      const kept = named.filter(({ name }) => only === null || only.has(name));
      const isSorted = order === 'sorted' || (order === 'outside' && depth === 0);
      const ordered = isSorted ? kept.toSorted((one, other) => (one.name < other.name ? -1 : 1)) : kept;
      const parts = ordered.map(
        ({ token, name, member }) =>
          `${text(name, token)}:${isIndented ? ' ' : space}${write(member, writing, depth + 1)}`,
      );
      return around('{', parts, '}');
    }
    case 'list':
      return around(
        '[',
        value.elements.map((element) => write(element, writing, depth + 1)),
        ']',
      );
    case 'value': {
      const { token } = value;
      if (token.startsWith('"')) return text(JSON.parse(token) as string, token);
      return numbers === 'written' ? token : JSON.stringify(JSON.parse(token));
    }
  }
}
