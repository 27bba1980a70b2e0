import { foldedWords } from '../../../protocol/folded-text.ts';
import type { ApiModel } from '../../../server/http/openapi/model.ts';
import { ERROR_GUIDE } from '../error-guide.ts';
import { anchorOf, type Member, membersOf } from '../members.ts';

/** A request, a field or an error code that was found. */
export interface Hit {
  readonly kind: 'request' | 'field' | 'error';
  readonly name: string;
  readonly href: string;
  /** The request of a field, the method and path of a request, the status of an error. */
  readonly where: string;
  readonly text: string;
}

interface Indexed {
  readonly hit: Hit;
  /** The words of the name and, less important, of all texts. */
  readonly name: readonly string[];
  readonly words: readonly string[];
}

/** `beoId` is also found by “beo” and “id”, `DOMAIN_TAKEN` by “taken”. */
const wordsOf = (...texts: readonly string[]): readonly string[] => {
  const all = texts.flatMap((text) => [
    ...foldedWords(text),
    ...foldedWords(text.replace(/(?<=[a-z])(?=[A-Z])|_/g, ' ')),
  ]);
  return [...new Set(all)];
};

const MAX_HITS = 60;

/** Everything that can be found, made once: the document does not change while the service runs. */
export function indexOf({ operations, components, details }: ApiModel): readonly Indexed[] {
  const hits = [
    ...operations.map(
      ({ id, title, method, path, description }): Hit => ({
        kind: 'request',
        name: title,
        href: `/developers/${id}`,
        where: `${method} ${path} ${id}`,
        text: description ?? '',
      }),
    ),
    ...operations.flatMap(({ id, title, fields, answers }) => {
      const sent = membersOf(
        { properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])) },
        components,
      );
      const page = `/developers/${id}`;
      return [
        ...sent.map((member) => fieldHit(member, page, 'request', `${title}: request`)),
        ...answers.flatMap(({ status, schema }) =>
          (schema ? membersOf(schema, components) : []).map((member) =>
            fieldHit(member, page, String(status), `${title}: response`),
          ),
        ),
      ];
    }),
    ...errorsOf(operations).map(
      ({ code, status, sentence }): Hit => ({
        kind: 'error',
        name: code,
        href: `/developers/errors/${code}`,
        where: `Status ${status}`,
        text: `${sentence} ${ERROR_GUIDE[code].happened}`,
      }),
    ),
    ...details.flatMap(({ codes, schema }) =>
      codes.flatMap((code) =>
        membersOf(schema, components).map((member) =>
          fieldHit(member, `/developers/errors/${code}`, 'details', `${code}: details`),
        ),
      ),
    ),
  ];
  return hits.map((hit) => ({ hit, name: wordsOf(hit.name), words: wordsOf(hit.name, hit.where, hit.text) }));
}

const fieldHit = ({ path, type, description }: Member, page: string, table: string, where: string): Hit => ({
  kind: 'field',
  name: path,
  href: `${page}#${anchorOf(table, path)}`,
  where,
  text: [description, type].filter(Boolean).join(' – '),
});

const errorsOf = (operations: ApiModel['operations']) => [
  ...new Map(operations.flatMap(({ errors }) => errors).map((error) => [error.code, error])).values(),
];

/** What has words that begin with each typed one; what has them in its name first. A field of many requests is there for each. */
export function find(
  index: readonly Indexed[],
  typed: string,
): { readonly hits: readonly Hit[]; readonly hasMore: boolean } {
  const wanted = foldedWords(typed);
  if (wanted.length === 0) return { hits: [], hasMore: false };
  const has = (words: readonly string[]) => wanted.every((word) => words.some((other) => other.startsWith(word)));
  const isExact = ({ hit }: Indexed) => hit.name.toLowerCase() === typed.trim().toLowerCase();
  const inName = index.filter(({ name }) => has(name));
  const elsewhere = index.filter(({ name, words, hit }) => hit.kind !== 'field' && !has(name) && has(words));
  const found = [...inName.filter(isExact), ...inName.filter((one) => !isExact(one)), ...elsewhere];
  return { hits: found.slice(0, MAX_HITS).map(({ hit }) => hit), hasMore: found.length > MAX_HITS };
}
