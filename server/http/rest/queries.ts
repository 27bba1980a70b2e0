import { z } from 'zod';
import { CERT_LEVELS, IEO_STATUSES, IEO_TYPE_NAMES, IEO_TYPES, ieoTypeOf } from '../../../protocol/entities/ieo.ts';
import { intentOf } from '../../../protocol/entities/intents.ts';
import { VERSION } from '../../../protocol/entities/recorded.ts';
import * as views from '../../../protocol/entities/views.ts';
import { refusal } from '../../../protocol/errors.ts';
import {
  healthState,
  ieoPage,
  listedProposal,
  proposalPage,
  readinessState,
  receivedPage,
  tokenPage,
  tokenVerdict,
} from '../../../protocol/read-responses.ts';
import { intent } from '../../../protocol/records/scope.ts';
import { CATEGORIES, LEVELS } from '../../../protocol/records/taxonomy.ts';
import { domain, entityReference, oneOf, proposalReference } from '../../../protocol/shapes.ts';
import { LIST_RECEIVED } from '../../../protocol/signing/institution-requests.ts';
import type { Config } from '../../config.ts';
import { listProposals, readProposal } from '../../features/institute/list-proposals.ts';
import { listIeos } from '../../features/read/list-ieos.ts';
import { listReceived } from '../../features/read/list-received.ts';
import { findNamedIeos, namedIeo } from '../../features/read/name-ieos.ts';
import { readBeoByDomain, readBeoByReference } from '../../features/read/read-beo.ts';
import { readCertification, readIeoByDomain, readIeoByReference } from '../../features/read/read-ieo.ts';
import { tokenHistory, verifyToken, wholeHistory } from '../../features/read/read-token.ts';
import { MAX_TYPED } from '../../features/read/search.ts';
import {
  entryLine,
  entryLines,
  ledgerHead,
  ledgerState,
  readTransaction,
  transactionView,
  versionOfEntries,
} from '../../ledger/read.ts';
import { FOUND_BOUNDS, LIST_BOUNDS } from '../../platform/db/bounds.ts';
import { etagOf, IMMUTABLE, matches } from '../etag.ts';
import { JSON_TYPE, jsonResponse, type RestResponse } from '../http.ts';
import { PROXY_HEADERS } from '../node.ts';
import { cursor, optionalPageLimit, pageLimit, wholeNumber } from './parameters.ts';
import { json, jsonQuery, type Query, rawQuery } from './rest-endpoint.ts';
import { sharedReadiness } from './shared-readiness.ts';

const beo = z.object({ beo: views.beo });

export const beoByDomain = jsonQuery({
  revalidates: true,
  mayLag: true,
  title: 'Read an identity by its domain',
  path: { domain },
  response: beo,
  errors: ['DOMAIN_INVALID', 'DOMAIN_RESERVED', 'BEO_NOT_FOUND'],
  answer: async (context, { params }) => ({ beo: await readBeoByDomain(context, params.domain ?? '') }),
});

export const beoByReference = jsonQuery({
  revalidates: true,
  mayLag: true,
  title: 'Read an identity',
  path: { beoId: entityReference },
  response: beo,
  errors: ['BEO_NOT_FOUND'],
  answer: async (context, { params }) => ({ beo: await readBeoByReference(context, params.beoId ?? '') }),
});

export const ieos = jsonQuery({
  revalidates: true,
  mayLag: true,
  title: 'List institutions',
  description:
    'Newest first. A filter by a `certLevel` other than UNCERTIFIED selects the institutions whose certification is in force.',
  parameters: z.strictObject({
    status: oneOf(IEO_STATUSES).optional().describe('Only institutions with this status.'),
    ieoType: z
      .enum(IEO_TYPE_NAMES, { error: `must be one of ${IEO_TYPES.join(', ')}` })
      .transform(ieoTypeOf)
      .optional()
      .describe('Only institutions of this type.'),
    certLevel: oneOf(CERT_LEVELS).optional().describe('Only institutions with this level of certification.'),
    limit: pageLimit(LIST_BOUNDS),
    cursor,
  }),
  response: ieoPage,
  answer: (context, { parameters: { status = null, ieoType = null, certLevel = null, ...page } }) =>
    listIeos(context, { status, ieoType, certLevel }, page),
});

export const ieosByName = jsonQuery({
  revalidates: true,
  mayLag: true,
  title: 'Find institutions by name',
  description:
    'Active institutions with words in their name or domain that begin with each word of `name`; certified ones first.',
  parameters: z.strictObject({
    name: z
      .string({ error: 'is required: words of the name or the domain' })
      .max(MAX_TYPED, `must have at most ${MAX_TYPED} characters`)
      .describe('Words, or the beginnings of words, of the name or the domain.'),
    limit: pageLimit(FOUND_BOUNDS),
  }),
  response: z.object({ ieos: z.array(namedIeo) }),
  answer: async (context, { parameters: { name, limit } }) => ({ ieos: await findNamedIeos(context, name, limit) }),
});

export const proposals = jsonQuery({
  title: 'List proposals',
  description: 'All proposals of the institute, newest first.',
  forInstitute: true,
  parameters: z.strictObject({ limit: pageLimit(LIST_BOUNDS), cursor }),
  response: proposalPage,
  answer: (context, { parameters }) => listProposals(context, parameters),
});

export const proposal = jsonQuery({
  title: 'Read a proposal',
  forInstitute: true,
  path: { proposalId: proposalReference },
  response: z.object({ proposal: listedProposal }),
  errors: ['PROPOSAL_NOT_FOUND'],
  answer: async (context, { params }) => ({ proposal: await readProposal(context, params.proposalId ?? '') }),
});

export const receivedConsents = jsonQuery({
  title: 'List the consents that an institution received',
  description: 'Newest first. `limit` and `cursor` are not signed.',
  signed: { form: LIST_RECEIVED, signer: 'the institution' },
  parameters: z.strictObject({ limit: pageLimit(LIST_BOUNDS), cursor }),
  response: receivedPage,
  errors: ['IEO_NOT_FOUND', 'IEO_DESTROYED'],
  answer: (context, { signed, parameters }) => listReceived(context, signed, parameters),
});

const ieo = z.object({ ieo: views.ieo });

export const ieoByDomain = jsonQuery({
  revalidates: true,
  mayLag: true,
  title: 'Read an institution by its domain',
  path: { domain },
  response: ieo,
  errors: ['DOMAIN_INVALID', 'IEO_NOT_FOUND'],
  answer: async (context, { params }) => ({ ieo: await readIeoByDomain(context, params.domain ?? '') }),
});

export const ieoByReference = jsonQuery({
  revalidates: true,
  mayLag: true,
  title: 'Read an institution',
  path: { ieoId: entityReference },
  response: ieo,
  errors: ['IEO_NOT_FOUND'],
  answer: async (context, { params }) => ({ ieo: await readIeoByReference(context, params.ieoId ?? '') }),
});

export const certification = jsonQuery({
  revalidates: true,
  title: 'Check whether an institution is certified now',
  path: { ieoId: entityReference },
  response: views.certificationNow,
  errors: ['IEO_NOT_FOUND'],
  answer: (context, { params }) => readCertification(context, params.ieoId ?? ''),
});

export const consent = jsonQuery({
  revalidates: true,
  title: 'Check whether a consent allows a use now',
  description: 'The status is 200 for every id; an unknown one is not valid.',
  path: { tokenId: z.string().describe('The id of a consent token, or of the transaction that granted it.') },
  parameters: z.strictObject({
    intent: intent.transform(intentOf).optional(),
    category: oneOf(CATEGORIES).optional().describe('The category of the records to use.'),
    level: oneOf(LEVELS).optional().describe('The level of the records to use.'),
  }),
  response: tokenVerdict,
  answer: (context, { params, parameters }) => verifyToken(context, params.tokenId ?? '', parameters),
});

export const consentHistory = rawQuery({
  mayLag: true,
  title: 'List the consents of a person',
  description:
    'Every consent that the person ever granted, newest first. Without `limit` and `cursor` the response is the whole history.',
  path: { beo_domain: entityReference },
  parameters: z.strictObject({ limit: optionalPageLimit(LIST_BOUNDS), cursor }),
  answers: [json(tokenPage)],
  errors: ['BEO_NOT_FOUND'],
  async answer(context, { params, parameters: { limit, cursor } }) {
    const reference = params.beo_domain ?? '';
    if (limit !== undefined || cursor !== null) {
      return jsonResponse(
        200,
        await tokenHistory(context, reference, { limit: limit ?? LIST_BOUNDS.fallback, cursor }),
      );
    }
    return {
      status: 200,
      headers: { 'content-type': JSON_TYPE },
      body: await streamed(wholeHistory(context, reference)),
    };
  },
});

export const transaction = rawQuery({
  revalidates: true,
  mayLag: true,
  title: 'Read a ledger entry and its progress',
  path: { id: z.string().meta({ description: 'The id of the transaction.' }) },
  answers: [json(z.object({ transaction: transactionView }))],
  errors: ['TRANSACTION_NOT_FOUND'],
  async answer(context, { params }) {
    const found = await readTransaction(context, params.id ?? '');
    return jsonResponse(200, { transaction: found }, found.status === 'FINAL' ? { 'cache-control': IMMUTABLE } : {});
  },
});

export const ledger = jsonQuery({
  title: 'Read the head of the ledger',
  response: ledgerHead,
  answer: (context) => ledgerState(context),
});

const LINES = 'application/jsonl; charset=utf-8';

export const ledgerEntries = rawQuery({
  revalidates: true,
  mayLag: true,
  title: 'List ledger entries',
  description: 'Oldest first, as JSON Lines: one entry a line.',
  parameters: z.strictObject({
    after: wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 }).meta({
      description: 'The `seq` of the last entry that you have.',
    }),
    limit: pageLimit({ max: 1_000, fallback: 100 }),
  }),
  answers: [{ status: 200, description: 'One JSON value a line.', type: LINES, schema: entryLine }],
  async answer(context, { parameters: { after, limit }, header }) {
    // Read first: then the entries are never older than their ETag.
    const { version, isFinal } = await versionOfEntries(context, after, limit);
    const etag = etagOf(`${context.ledgerId} ${after} ${limit} ${version}`);
    // The address of a page stays when a devnet begins again.
    const isImmutable = isFinal && context.network.kind === 'arweave';
    const headers = { 'content-type': LINES, etag, ...(isImmutable ? { 'cache-control': IMMUTABLE } : {}) };
    const body = matches(header('if-none-match'), etag) ? '' : await streamed(entryLines(context, after, limit));
    return { status: 200, headers, body };
  },
});

/** Reads the first piece before the response begins, so that an unavailable database still becomes an error. */
async function streamed(pieces: AsyncGenerator<string>): Promise<RestResponse['body']> {
  const first = await pieces.next();
  return first.done ? '' : restOf(first.value, pieces);
}

async function* restOf(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

export const health = jsonQuery({
  title: 'Check that the service runs',
  response: healthState,
  answer: ({ config }) => ({ status: 'ok' as const, service: config.SERVICE_NAME, version: VERSION as typeof VERSION }),
});

export const ready = rawQuery({
  title: 'Check that the service can accept writes',
  answers: [
    json(readinessState, 200, 'Ready or degraded.'),
    json(readinessState, 503, 'Unavailable: writes are refused.'),
  ],
  async answer(context) {
    const state = await sharedReadiness(context);
    return jsonResponse(state.status === 'unavailable' ? 503 : 200, state);
  },
});

/** Whether METRICS_PUBLIC lets a request read the metrics: `direct` refuses what a proxy forwards, however it spells the path. */
export function mayReadMetrics(
  setting: Config['METRICS_PUBLIC'],
  { isLocal, header }: Pick<Query, 'isLocal' | 'header'>,
): boolean {
  if (setting === 'direct') return PROXY_HEADERS.every((name) => header(name) === undefined);
  return setting === 'true' || isLocal();
}

/** For the operator, on the same machine, unless METRICS_PUBLIC is set. @throws NOT_FOUND */
export const metrics = rawQuery({
  title: 'Read the metrics',
  description:
    'In the text format of Prometheus. Only for requests from this machine, unless METRICS_PUBLIC permits others.',
  answers: [{ status: 200, description: 'The metrics.', type: 'text/plain', schema: z.string() }],
  errors: ['NOT_FOUND'],
  async answer({ config, metrics: { registry, text } }, query) {
    if (!mayReadMetrics(config.METRICS_PUBLIC, query)) throw refusal('NOT_FOUND');
    return { status: 200, headers: { 'content-type': registry.contentType }, body: await text() };
  },
});
