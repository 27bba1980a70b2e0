import { CERT_LEVELS, IEO_STATUSES, IEO_TYPE_ALIASES, IEO_TYPES } from '../../../protocol/entities/ieo.ts';
import { VERSION } from '../../../protocol/entities/recorded.ts';
import { INTENTS } from '../../../protocol/entities/token.ts';
import { refusal } from '../../../protocol/errors.ts';
import { CATEGORIES, LEVELS } from '../../../protocol/records/taxonomy.ts';
import type { Context } from '../../context.ts';
import { LIST_BOUNDS } from '../../db/bounds.ts';
import { entryLines, ledgerState, readTransaction } from '../../ledger/read.ts';
import { listIeos, type Page } from '../../read/list-ieos.ts';
import { readBeoByDomain, readBeoByReference } from '../../read/read-beo.ts';
import { readCertification, readIeoByDomain, readIeoByReference } from '../../read/read-ieo.ts';
import { tokenHistory, verifyToken, wholeHistory } from '../../read/read-token.ts';
import { JSON_TYPE, jsonResponse, type RestResponse } from '../http.ts';
import { chosen, given, pageLimit, wholeNumber } from './parameters.ts';
import type { Query } from './routes.ts';
import { sharedReadiness } from './shared-readiness.ts';

export async function beoByDomain(context: Context, { params }: Query): Promise<RestResponse> {
  return jsonResponse(200, { beo: await readBeoByDomain(context, params.domain ?? '') });
}

export async function beoByReference(context: Context, { params }: Query): Promise<RestResponse> {
  return jsonResponse(200, { beo: await readBeoByReference(context, params.beoId ?? '') });
}

export async function ieos(context: Context, { search }: Query): Promise<RestResponse> {
  const filters = {
    status: chosen(search, 'status', IEO_STATUSES),
    ieoType: chosen(search, 'ieoType', IEO_TYPES, IEO_TYPE_ALIASES),
    certLevel: chosen(search, 'certLevel', CERT_LEVELS),
  };
  return jsonResponse(200, await listIeos(context, filters, pageOf(search)));
}

export async function ieoByDomain(context: Context, { params }: Query): Promise<RestResponse> {
  return jsonResponse(200, { ieo: await readIeoByDomain(context, params.domain ?? '') });
}

export async function ieoByReference(context: Context, { params }: Query): Promise<RestResponse> {
  return jsonResponse(200, { ieo: await readIeoByReference(context, params.ieoId ?? '') });
}

export async function certification(context: Context, { params }: Query): Promise<RestResponse> {
  return jsonResponse(200, await readCertification(context, params.ieoId ?? ''));
}

export async function consent(context: Context, { params, search }: Query): Promise<RestResponse> {
  const use = {
    intent: chosen(search, 'intent', INTENTS) ?? undefined,
    category: chosen(search, 'category', CATEGORIES) ?? undefined,
    level: chosen(search, 'level', LEVELS) ?? undefined,
  };
  return jsonResponse(200, await verifyToken(context, params.tokenId ?? '', use));
}

export async function consentHistory(context: Context, { params, search }: Query): Promise<RestResponse> {
  const reference = params.beo_domain ?? '';
  if (given(search, 'limit') ?? given(search, 'cursor')) {
    return jsonResponse(200, await tokenHistory(context, reference, pageOf(search)));
  }
  return {
    status: 200,
    headers: { 'content-type': JSON_TYPE },
    body: await streamed(wholeHistory(context, reference)),
  };
}

export async function transaction(context: Context, { params }: Query): Promise<RestResponse> {
  return jsonResponse(200, { transaction: await readTransaction(context, params.id ?? '') });
}

export async function ledger(context: Context): Promise<RestResponse> {
  return jsonResponse(200, await ledgerState(context));
}

export async function ledgerEntries(context: Context, { search }: Query): Promise<RestResponse> {
  const after = wholeNumber(search, 'after', { min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 });
  const limit = pageLimit(search, { max: 1_000, fallback: 100 });
  return {
    status: 200,
    headers: { 'content-type': 'application/jsonl; charset=utf-8' },
    body: await streamed(entryLines(context, after, limit)),
  };
}

/** Reads the first piece before the response begins, so that an unavailable database still becomes an error. */
async function streamed(pieces: AsyncGenerator<string>): Promise<RestResponse['body']> {
  const first = await pieces.next();
  return first.done ? '' : restOf(first.value, pieces);
}

async function* restOf(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

const pageOf = (search: URLSearchParams): Page => ({
  limit: pageLimit(search, LIST_BOUNDS),
  cursor: given(search, 'cursor'),
});

export const health = ({ config }: Context): RestResponse =>
  jsonResponse(200, { status: 'ok', service: config.SERVICE_NAME, version: VERSION });

export async function ready(context: Context): Promise<RestResponse> {
  const state = await sharedReadiness(context);
  return jsonResponse(state.status === 'unavailable' ? 503 : 200, state);
}

/** For the operator, on the same machine, unless METRICS_PUBLIC is set. @throws NOT_FOUND */
export async function metrics({ config, metrics: { registry } }: Context, query: Query): Promise<RestResponse> {
  if (!config.METRICS_PUBLIC && !query.isLocal()) throw refusal('NOT_FOUND');
  return { status: 200, headers: { 'content-type': registry.contentType }, body: await registry.metrics() };
}
