import { sha256 } from '#digests';
import { hexToBytes, utf8ToBytes } from '../../../protocol/signing/encoding.ts';
import type { SignedFunction } from './signed-function.ts';
import { parseWritten, type Writing, type Written, write } from './written-json.ts';

/** A message that a client may have signed by mistake. */
export interface Candidate {
  /** What is wrong with it, one sentence each. */
  readonly mistakes: readonly string[];
  readonly text: string;
  /** What was signed: the UTF-8 of the text, or a digest of it. */
  readonly bytes: Uint8Array;
}

/** One way to make a message; without a sentence it is the right one. */
interface Way<Value> {
  readonly mistake: string | null;
  readonly value: Value;
}

type Members = readonly (readonly [name: string, value: Written])[];

const right = <Value>(value: Value): Way<Value> => ({ mistake: null, value });
const wrong = <Value>(mistake: string, value: Value): Way<Value> => ({ mistake, value });

const plain = (text: string) => JSON.stringify(text);
const escapedBy = (pattern: RegExp) => (text: string) =>
  plain(text).replace(pattern, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

const UNSORTED = 'The signature is valid for the members in another order: sort them at every depth (RFC 8785).';

const SPACES: readonly Way<Writing['space']>[] = [
  right(''),
  wrong(
    'The signature is valid for JSON with spaces after commas and colons, as Python writes it: sign without white space.',
    ' ',
  ),
  wrong('The signature is valid for indented JSON: sign without white space.', 2),
  wrong('The signature is valid for indented JSON: sign without white space.', 4),
];

const NUMBERS: readonly Way<Writing['numbers']>[] = [
  right('canonical'),
  wrong(
    'The signature is valid for numbers as they are in the body, such as 1.0 or 1e-07: the canonical form writes 1 and 1e-7, as JavaScript does.',
    'written',
  ),
];

const TEXTS: readonly Way<Writing['text']>[] = [
  right(plain),
  wrong(
    'The signature is valid for JSON with escaped letters: in Python, use `ensure_ascii=False`.',
    escapedBy(/[^ -~]/g),
  ),
  wrong(
    'The signature is valid for texts with the escapes of the body: the canonical form escapes only what JSON must.',
    (_, token) => token,
  ),
  wrong(
    'The signature is valid for JSON with `<`, `>` and `&` escaped, as Go writes it: use `SetEscapeHTML(false)`.',
    escapedBy(/[<>&\u2028\u2029]/g),
  ),
  wrong(
    'The signature is valid for JSON with `\\/` in place of `/`, as PHP writes it: use `JSON_UNESCAPED_SLASHES`.',
    (text) => plain(text).replaceAll('/', '\\/'),
  ),
  wrong(
    'The signature is valid for JSON with `\\/` and escaped letters, as PHP writes it: use `JSON_UNESCAPED_SLASHES` and `JSON_UNESCAPED_UNICODE`.',
    (text) => escapedBy(/[^ -~]/g)(text).replaceAll('/', '\\/'),
  ),
  wrong('The signature is valid for texts in another Unicode form (NFC): sign the characters that you send.', (text) =>
    plain(text.normalize('NFC')),
  ),
  wrong('The signature is valid for texts in another Unicode form (NFD): sign the characters that you send.', (text) =>
    plain(text.normalize('NFD')),
  ),
];

const ENDS: readonly Way<(text: string) => string>[] = [
  right((text) => text),
  wrong('The signature is valid for the message with a line break at its end.', (text) => `${text}\n`),
  wrong('The signature is valid for the message with a byte order mark at its beginning.', (text) => `\ufeff${text}`),
];

const DIGESTS: readonly Way<(text: string) => Uint8Array>[] = [
  right(utf8ToBytes),
  wrong('The signature is valid for the SHA-256 of the message: sign the message itself.', (text) =>
    hexToBytes(sha256(text)),
  ),
  wrong('The signature is valid for the SHA-256 of the message in hex: sign the message itself.', (text) =>
    utf8ToBytes(sha256(text)),
  ),
];

/** A verification takes about a millisecond. */
const MAX_CANDIDATES = 1_500;
/** More mistakes at once are not looked for. */
const MAX_MISTAKES = 4;

/**
 * The messages that clients sign in place of the right one, those with the fewest mistakes first; each text once.
 * @param body valid JSON of an object
 * @param ledgerId that of this service
 */
export function* candidates(
  { function: name, members: signedNames }: SignedFunction,
  body: string,
  ledgerId: string,
): Generator<Candidate, void> {
  const sent = parseWritten(body);
  const all: Members = sent.kind === 'object' ? sent.members : [];
  const nameOf = ([token]: Members[number]) => JSON.parse(token) as string;
  const member = (key: string, text: string): Members[number] => [
    JSON.stringify(key),
    { kind: 'value', token: JSON.stringify(text) },
  ];
  const called = member('function', name);
  const own = all.filter((one) => nameOf(one) !== 'function' && nameOf(one) !== 'signature');
  const signed = own.filter((one) => signedNames.includes(nameOf(one)));
  const hasLedger = signed.some((one) => nameOf(one) === 'ledgerId');

  const contents: readonly Way<Members>[] = [
    right([called, ...signed]),
    wrong('The signature is valid for the message without `function`: add it before you sign.', signed),
    hasLedger
      ? wrong('The signature is valid for the message without `ledgerId`: sign it if you send it.', [
          called,
          ...signed.filter((one) => nameOf(one) !== 'ledgerId'),
        ])
      : wrong('The signature is valid for the message with the `ledgerId` of this service: send it too.', [
          called,
          ...signed,
          member('ledgerId', ledgerId),
        ]),
    ...(own.length > signed.length
      ? [
          wrong<Members>(
            'The signature covers members that are not signed: sign only those that the reference lists.',
            [called, ...own],
          ),
        ]
      : []),
  ];
  const orders: readonly Way<(content: Members, way: Omit<Writing, 'order' | 'only'>) => string>[] = [
    right((content, way) => write(objectOf(content), { ...way, order: 'sorted', only: null })),
    wrong(UNSORTED, (content, way) => write(objectOf(content), { ...way, order: 'written', only: null })),
    wrong(UNSORTED, (content, way) =>
      write(objectOf(functionLast(content, called)), { ...way, order: 'written', only: null }),
    ),
    wrong(
      'The signature is valid for nested objects that are not sorted: sort the members at every depth (RFC 8785).',
      (content, way) => write(objectOf(content), { ...way, order: 'outside', only: null }),
    ),
    wrong(
      'The signature is valid for nested objects without their members: a list of names as the second argument of `JSON.stringify` applies at every depth.',
      (content, way) => write(objectOf(content), { ...way, order: 'sorted', only: new Set(content.map(nameOf)) }),
    ),
  ];

  const made = contents.flatMap((content) =>
    orders.flatMap((order) =>
      SPACES.flatMap((space) =>
        NUMBERS.flatMap((numbers) =>
          TEXTS.flatMap((text) =>
            ENDS.flatMap((end) =>
              DIGESTS.map((digest) => {
                const mistakes = [content, order, space, numbers, text, end, digest].flatMap(
                  ({ mistake }) => mistake ?? [],
                );
                const make = () =>
                  end.value(
                    order.value(content.value, { space: space.value, numbers: numbers.value, text: text.value }),
                  );
                return { mistakes, make, digest: digest.value };
              }),
            ),
          ),
        ),
      ),
    ),
  );
  const likely = made
    .filter(({ mistakes }) => mistakes.length > 0 && mistakes.length <= MAX_MISTAKES)
    .toSorted((one, other) => one.mistakes.length - other.mistakes.length);
  const seen = new Set<string>();
  for (const { mistakes, make, digest } of likely) {
    if (seen.size >= MAX_CANDIDATES) return;
    const text = make();
    const key = `${DIGESTS.findIndex(({ value }) => value === digest)} ${text}`;
    if (seen.has(key)) continue;
    seen.add(key);
    yield { mistakes, text, bytes: digest(text) };
  }
}

const objectOf = (members: Members): Written => ({ kind: 'object', members });

const functionLast = (members: Members, called: Members[number]): Members =>
  members.includes(called) ? [...members.filter((member) => member !== called), called] : members;
