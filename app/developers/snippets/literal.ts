import type { Json } from '../../../protocol/signing/canonical-json.ts';

/** How a language writes JSON values. */
interface Style {
  readonly constants: Readonly<Record<'true' | 'false' | 'null', string>>;
  readonly quote: (text: string) => string;
  readonly name: (name: string) => string;
}

const inJson = (text: string): string => JSON.stringify(text);

export const PYTHON: Style = {
  constants: { true: 'True', false: 'False', null: 'None' },
  quote: inJson,
  name: inJson,
};

const inSingleQuotes = (text: string): string =>
  `'${inJson(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

export const TYPESCRIPT: Style = {
  constants: { true: 'true', false: 'false', null: 'null' },
  quote: inSingleQuotes,
  name: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : inSingleQuotes(name)),
};

/** Characters of a list or an object that stays on one line. */
const MAX_LINE = 44;

/** Source text of a value. `indent`: the spaces before the line it begins on. */
export function literal(value: Json, style: Style, indent = 0): string {
  if (typeof value === 'string') return style.quote(value);
  if (value === null || typeof value === 'boolean') return style.constants[`${value}`];
  if (typeof value === 'number') return JSON.stringify(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((element: Json) => literal(element, style, indent + 2))
    : Object.entries(value).map(([name, member]) => `${style.name(name)}: ${literal(member, style, indent + 2)}`);
  const [open, close, gap] = isList ? ['[', ']', ''] : ['{', '}', ' '];
  const line = `${open}${gap}${parts.join(', ')}${gap}${close}`;
  if (parts.length === 0) return `${open}${close}`;
  if (indent > 0 && line.length <= MAX_LINE && !line.includes('\n')) return line;
  const lines = parts.map((part) => `${' '.repeat(indent + 2)}${part},\n`).join('');
  return `${open}\n${lines}${' '.repeat(indent)}${close}`;
}
