import { type ExecutionResult, execute, GraphQLError, parse, validate } from 'graphql';
import { z } from 'zod';
import type { Block, Chain, ChainRecord, ChainTransaction } from './devnet-chain.ts';
import { schema } from './graphql-schema.ts';
import type { Journal } from './journal.ts';

/** As on public gateways. */
const MAX_PAGE = 100;
const MAX_TOKENS = 4_000;
const WINSTON_DIGITS = 12;

const requestShape = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});

type SortOrder = 'HEIGHT_ASC' | 'HEIGHT_DESC' | 'INGESTED_AT_ASC' | 'INGESTED_AT_DESC';
type Range = { min?: number | null; max?: number | null };
type Page = { first?: number | null; after?: string | null; sort?: SortOrder | null };
type TagFilter = { name?: string | null; values?: string[] | null; op: 'EQ' | 'NEQ' };
type TransactionFilter = {
  ids?: string[] | null;
  owners?: string[] | null;
  recipients?: string[] | null;
  tags?: TagFilter[] | null;
  bundledIn?: string[] | null;
  block?: Range | null;
};

/** Executes a GraphQL request, the JSON body of POST /graphql, as a gateway's index would. */
export async function answerGraphql(
  { chain, journal }: { chain: Chain; journal: Journal },
  body: unknown,
  reducedPageSize: number | null = null,
): Promise<{ status: number; result: ExecutionResult }> {
  const request = requestShape.safeParse(body);
  if (!request.success) return { status: 400, result: { errors: [new GraphQLError('The request has no query.')] } };
  const { query, variables, operationName } = request.data;
  try {
    const document = parse(query, { maxTokens: MAX_TOKENS });
    const errors = validate(schema, document);
    if (errors.length > 0) return { status: 400, result: { errors } };
    const rootValue = resolvers(chain, journal, reducedPageSize);
    const result = await execute({ schema, document, rootValue, variableValues: variables, operationName });
    return { status: 200, result };
  } catch (error) {
    if (error instanceof GraphQLError) return { status: 400, result: { errors: [error] } };
    throw error;
  }
}

function resolvers(chain: Chain, journal: Journal, reducedPageSize: number | null) {
  const toNode = (transaction: ChainTransaction) => transactionNode(chain, journal, transaction);
  return {
    transaction({ id }: { id: string }) {
      const transaction = chain.transaction(id);
      return transaction ? toNode(transaction) : null;
    },
    transactions(args: TransactionFilter & Page) {
      const all: readonly ChainTransaction[] = [...chain.mined, ...chain.pending()];
      const page = pageOf(all, { ...args, reducedPageSize }, transactionFilter(args), ({ id }) => id);
      return { ...page, edges: page.edges.map(({ cursor, node }) => ({ cursor, node: toNode(node) })) };
    },
    block({ id }: { id?: string | null }) {
      const block = findBlock(chain, ({ hash }) => hash === id);
      return block ? blockNode(chain, block) : null;
    },
    blocks(args: { ids?: string[] | null; height?: Range | null } & Page) {
      const all = Array.from({ length: chain.height + 1 }, (_, height) => chain.block(height)).filter(isPresent);
      const wanted = ({ hash, height }: Block) => includes(args.ids, hash) && within(args.height, height);
      const page = pageOf(all, { ...args, reducedPageSize }, wanted, ({ hash }) => hash);
      return { ...page, edges: page.edges.map(({ cursor, node }) => ({ cursor, node: blockNode(chain, node) })) };
    },
  };
}

/* Filters --------------------------------------------------------------------------------------------------------- */

const isPresent = <Value>(value: Value | undefined): value is Value => value !== undefined;
const includes = (wanted: string[] | null | undefined, value: string) => !wanted || wanted.includes(value);
const within = (range: Range | null | undefined, height: number) =>
  height >= (range?.min ?? 0) && height <= (range?.max ?? Number.POSITIVE_INFINITY);

function transactionFilter(args: TransactionFilter): (transaction: ChainTransaction) => boolean {
  return ({ id, owner, target, tags, place }) =>
    includes(args.ids, id) &&
    includes(args.owners, owner) &&
    includes(args.recipients, target) &&
    !args.bundledIn?.length &&
    (!args.block || (place !== null && within(args.block, place.height))) &&
    (args.tags ?? []).every((filter) => matches(filter, tags));
}

function matches({ name, values, op }: TagFilter, tags: ChainTransaction['tags']): boolean {
  const found = tags.some((tag) => (name == null || tag.name === name) && includes(values, tag.value));
  return op === 'NEQ' ? !found : found;
}

function findBlock(chain: Chain, wanted: (block: Block) => boolean): Block | undefined {
  for (let height = chain.height; height >= 0; height--) {
    const block = chain.block(height);
    if (block && wanted(block)) return block;
  }
  return undefined;
}

/* Pages ----------------------------------------------------------------------------------------------------------- */

/**
 * A cursor contains an element's id and its index, which is used if a reorganisation removed the element. With a
 * reduced page size, the page reports no next page.
 */
function pageOf<Element>(
  ascending: readonly Element[],
  { first, after, sort, reducedPageSize }: Page & { reducedPageSize: number | null },
  wanted: (element: Element) => boolean,
  idOf: (element: Element) => string,
) {
  const limit = Math.min(Math.max(first ?? 10, 0), Math.min(reducedPageSize ?? MAX_PAGE, MAX_PAGE));
  const step = sort?.endsWith('_ASC') ? 1 : -1;
  const begin = step === 1 ? 0 : ascending.length - 1;
  const edges: { cursor: string; node: Element }[] = [];
  let index = after ? placeOf(ascending, after, idOf) + step : begin;
  for (; index >= 0 && index < ascending.length; index += step) {
    const node = ascending[index];
    if (node === undefined || !wanted(node)) continue;
    if (edges.length === limit) return { edges, pageInfo: { hasNextPage: reducedPageSize === null } };
    edges.push({ cursor: Buffer.from(JSON.stringify([index, idOf(node)])).toString('base64url'), node });
  }
  return { edges, pageInfo: { hasNextPage: false } };
}

const cursorShape = z.tuple([z.int().nonnegative(), z.string()]);

function placeOf<Element>(ascending: readonly Element[], cursor: string, idOf: (element: Element) => string): number {
  const [index, id] = decodeCursor(cursor);
  const element = ascending[index];
  if (element !== undefined && idOf(element) === id) return index;
  const newIndex = ascending.findIndex((candidate) => idOf(candidate) === id);
  return newIndex === -1 ? index : newIndex;
}

function decodeCursor(cursor: string): [number, string] {
  try {
    return cursorShape.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw new GraphQLError('The cursor was not issued by this gateway.');
  }
}

/* Nodes ----------------------------------------------------------------------------------------------------------- */

function transactionNode(chain: Chain, journal: Journal, transaction: ChainTransaction) {
  const header = async () => {
    const record = (await journal.header(transaction.at)) as ChainRecord;
    if (record.kind !== 'transaction') throw new Error(`The journal has no transaction at ${transaction.at}.`);
    return record.transaction;
  };
  const block = transaction.place && chain.block(transaction.place.height);
  return {
    id: transaction.id,
    anchor: transaction.anchor,
    signature: async () => (await header()).signature,
    recipient: transaction.target,
    owner: { address: transaction.owner, key: async () => (await header()).owner },
    fee: amount(transaction.reward),
    quantity: amount(transaction.quantity),
    data: {
      size: String(transaction.dataSize),
      type: transaction.tags.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? null,
    },
    tags: transaction.tags,
    block: block ? blockNode(chain, block) : null,
    ingested_at: block?.timestamp ?? null,
  };
}

function blockNode(chain: Chain, { hash, timestamp, height }: Block) {
  return { id: hash, timestamp, height, previous: chain.block(height - 1)?.hash ?? '' };
}

function amount(winston: bigint) {
  const digits = winston.toString().padStart(WINSTON_DIGITS + 1, '0');
  return { winston: winston.toString(), ar: `${digits.slice(0, -WINSTON_DIGITS)}.${digits.slice(-WINSTON_DIGITS)}` };
}
