import { z } from 'zod';
import { CERT_LEVELS, IEO_STATUSES, IEO_TYPES } from '../protocol/entities/ieo.ts';
import { INTENT_NAMES } from '../protocol/entities/intents.ts';
import { classifyBiomarker } from '../protocol/records/record.ts';
import taxonomy from '../protocol/records/taxonomy.json' with { type: 'json' };
import { biomarkerOf, CATEGORIES, LEVELS } from '../protocol/records/taxonomy.ts';
import { ApiError, defineTool, type Tool } from './tool.ts';

const beo = z.string().min(1).max(300).describe('A person: a domain such as alice.bsp, or the id of the BEO');
const ieo = z.string().min(1).max(300).describe('An institution: a domain such as clinic.bsp, or the id of the IEO');
const tokenId = z.string().min(1).max(100).describe('The id of a consent token: tok_ and a UUID');
const transactionId = z.string().min(1).max(100).describe('The id of an operation: 43 characters of base64url');
const cursor = z.string().max(600).optional().describe('next_cursor of the previous page');
const limit = (max: number) => z.int().min(1).max(max).optional().describe(`At most ${max}`);
const use = {
  intent: z.enum(INTENT_NAMES).optional().describe('The use that must be covered'),
  category: z
    .enum(CATEGORIES as [string, ...string[]])
    .optional()
    .describe('The category that must be covered'),
  level: z
    .enum(LEVELS as [string, ...string[]])
    .optional()
    .describe('The level that must be covered'),
};

/** An address with its parameters; absent ones are left out. */
function address(path: string, parameters: Readonly<Record<string, string | number | undefined>> = {}): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, `${value}`]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

const segment = encodeURIComponent;

/** Tools that read public state, under the names of the ecosystem's first MCP server where it has one. */
export const READING_TOOLS: readonly Tool[] = [
  defineTool({
    name: 'bsp_resolve_beo',
    title: 'Find a person’s identity',
    description: 'Reads the public state of an identity: domain, current public key, status, guardians without names.',
    input: z.strictObject({ beo }),
    run: async ({ read }, { beo }) => (await read(`/api/beos/${segment(beo)}`)) as object,
  }),
  defineTool({
    name: 'bsp_get_beo_summary',
    title: 'Summarize a person’s identity',
    description: 'The public state of an identity with its newest 200 consents, counted by status. No health data.',
    input: z.strictObject({ beo }),
    async run({ read }, { beo: reference }) {
      const [identity, history] = await Promise.all([
        read(`/api/beos/${segment(reference)}`) as Promise<{ beo: object }>,
        read(address(`/api/consent/history/${segment(reference)}`, { limit: 200 })) as Promise<History>,
      ]);
      const counts = new Map<string, number>();
      for (const { status } of history.tokens) counts.set(status, (counts.get(status) ?? 0) + 1);
      return { ...identity, consents: { total: history.count, newest_by_status: Object.fromEntries(counts) } };
    },
  }),
  defineTool({
    name: 'bsp_consent_history',
    title: 'List the consents that a person granted',
    description:
      'Every consent that a person ever granted, newest first: to whom, for what, until when, whether revoked.',
    input: z.strictObject({ beo, limit: limit(200), cursor }),
    run: async ({ read }, { beo, ...page }) =>
      (await read(address(`/api/consent/history/${segment(beo)}`, { limit: 50, ...page }))) as object,
  }),
  defineTool({
    name: 'bsp_verify_consent',
    title: 'Check a consent',
    description: 'Whether a consent token is valid now and covers a use. If not, `reason` says why.',
    input: z.strictObject({ token_id: tokenId, ...use }),
    run: async ({ read }, { token_id: id, ...asked }) =>
      (await read(address(`/api/consent/${segment(id)}/verify`, asked))) as object,
  }),
  defineTool({
    name: 'bsp_resolve_ieo',
    title: 'Find an institution',
    description: 'Reads an institution and whether it is certified now, and for what.',
    input: z.strictObject({ ieo }),
    async run({ read }, { ieo }) {
      const found = (await read(`/api/ieos/${segment(ieo)}`)) as { ieo: { ieo_id: string } };
      return { ...found, certification: await read(`/api/ieos/${found.ieo.ieo_id}/certification`) };
    },
  }),
  defineTool({
    name: 'bsp_list_ieos',
    title: 'List institutions',
    description:
      'Institutions, newest first, by status, type and certification; or those with a name, best match first.',
    input: z.strictObject({
      name: z.string().min(1).max(200).optional().describe('Words of the name; excludes the other filters'),
      status: z.enum(IEO_STATUSES).optional(),
      type: z.enum(IEO_TYPES).optional(),
      level: z.enum(CERT_LEVELS).optional(),
      limit: limit(200),
      cursor,
    }),
    async run({ read }, { name, type, level, ...filters }) {
      if (name === undefined)
        return (await read(address('/api/ieos', { ...filters, ieoType: type, certLevel: level }))) as object;
      if (type ?? level ?? filters.status ?? filters.cursor)
        throw new ApiError('VALIDATION_FAILED', 'A search by name has no other filter and one page.');
      return (await read(address('/api/ieos/search', { name, limit: filters.limit }))) as object;
    },
  }),
  defineTool({
    name: 'bsp_list_categories',
    title: 'List the categories of health records',
    description: 'All categories of biomarkers, with their level and the number of listed biomarkers.',
    input: z.strictObject({ level: use.level }),
    run: (_, { level }) => ({
      categories: taxonomy.categories
        .filter((category) => level === undefined || category.level === level)
        .map(({ code, name, level, biomarkers }) => ({ code, name, level, biomarkers: biomarkers.length })),
    }),
  }),
  defineTool({
    name: 'bsp_resolve_biomarker',
    title: 'Look up a biomarker',
    description: 'The name, category and level of a biomarker code such as BSP-HM-001.',
    input: z.strictObject({ code: z.string().max(40).describe('BSP-XX-NNN') }),
    run(_, { code }) {
      const classified = classifyBiomarker(code);
      if (!classified) throw new ApiError('NOT_FOUND', `${code} is not a biomarker code of a known category.`);
      const listed = biomarkerOf(code);
      return { code, name: listed?.longName ?? listed?.name ?? null, is_listed: listed !== null, ...classified };
    },
  }),
  defineTool({
    name: 'bsp_transaction_status',
    title: 'Follow an operation',
    description: 'One ledger entry: its place, its status (ACCEPTED, POSTED, CONFIRMED, FINAL) and the signed item.',
    input: z.strictObject({ transaction_id: transactionId }),
    run: async ({ read }, { transaction_id: id }) => (await read(`/api/transactions/${segment(id)}`)) as object,
  }),
  defineTool({
    name: 'bsp_entry_proof',
    title: 'Get the proof of an operation',
    description: 'A file that proves, without this service, that an operation is on the ledger.',
    input: z.strictObject({ transaction_id: transactionId }),
    run: async ({ read }, { transaction_id: id }) => (await read(`/api/ledger/proof/${segment(id)}`)) as object,
  }),
  defineTool({
    name: 'bsp_ledger',
    title: 'Read the state of the ledger',
    description: 'The signed head of the ledger, the key of the relayer, and whether the network is a test network.',
    input: z.strictObject({}),
    run: async ({ read }) => (await read('/api/ledger')) as object,
  }),
];

interface History {
  readonly count: number;
  readonly tokens: readonly { readonly status: string }[];
}
