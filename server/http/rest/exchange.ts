import { classifyBiomarker } from '../../../protocol/records/record.ts';
import { isCategory, LEVELS } from '../../../protocol/records/taxonomy.ts';
import { isDay, parseInstant } from '../../../protocol/shapes.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import type { Context } from '../../context.ts';
import { RECORD_BOUNDS } from '../../db/bounds.ts';
import { exportRecords } from '../../records/export-records.ts';
import { listAccess } from '../../records/list-access.ts';
import { readRecords } from '../../records/read-records.ts';
import { JSON_TYPE, jsonResponse, type RestResponse } from '../http.ts';
import { chosen, given, pageLimit, wholeNumber, wrongParameter } from './parameters.ts';
import type { Query, RequestMetadata } from './routes.ts';

/** The signed fields of a read, each as a query parameter or a header. Protocol §1. */
const SIGNED = {
  consentToken: 'x-consent-token',
  ledgerId: 'x-ledger-id',
  signature: 'x-signature',
  nonce: 'x-nonce',
  timestamp: 'x-timestamp',
} as const;

export const READ_PARAMETERS = [
  'targetBeo',
  ...Object.keys(SIGNED),
  'categories',
  'biomarkers',
  'levels',
  'status',
  'from',
  'to',
  'limit',
  'offset',
];

export async function records(context: Context, { search, header, requestId }: Query): Promise<RestResponse> {
  const filters = {
    categories: listed(search, 'categories', isCategory, 'codes of categories, like BSP-CV'),
    biomarkers: listed(
      search,
      'biomarkers',
      (code) => classifyBiomarker(code) !== null,
      'codes of biomarkers, like BSP-CV-001',
    ),
    levels: listed(search, 'levels', (level) => LEVELS.includes(level), LEVELS.join(', ')),
    status: chosen(search, 'status', ['ACTIVE', 'SUPERSEDED'] as const) ?? 'ACTIVE',
    from: moment(search, 'from'),
    to: moment(search, 'to'),
    limit: pageLimit(search, RECORD_BOUNDS),
    offset: wholeNumber(search, 'offset', { min: 0, max: 1_000_000_000, fallback: 0 }),
  };
  const page = await readRecords(context, signedFields(search, header), filters);
  return jsonResponse(200, { request_id: requestId, ...page });
}

/** @throws VALIDATION_FAILED if a query parameter and its header differ. */
function signedFields(search: URLSearchParams, header: Query['header']): Json {
  const given = Object.entries(SIGNED).flatMap(([name, headerName]) => {
    // A query decodes + to a space, and base64 has no spaces.
    const inQuery = (name === 'signature' ? search.get(name)?.replaceAll(' ', '+') : search.get(name)) ?? null;
    const inHeader = header(headerName) ?? null;
    if (inQuery !== null && inHeader !== null && inQuery !== inHeader)
      throw wrongParameter(name, 'differs from the header');
    const value = inQuery ?? inHeader;
    return value === null ? [] : [[name, value]];
  });
  const targetBeo = search.get('targetBeo');
  return { ...Object.fromEntries(given), ...(targetBeo === null ? {} : { targetBeo }) };
}

function listed(
  search: URLSearchParams,
  name: string,
  isKnown: (value: string) => boolean,
  what: string,
): readonly string[] | null {
  const text = given(search, name);
  if (text === null) return null;
  const values = text.split(',').map((value) => value.trim());
  if (values.length > 200 || !values.every(isKnown)) throw wrongParameter(name, `must be ${what}, separated by commas`);
  return values;
}

/** A date, or a date and time in UTC. */
function moment(search: URLSearchParams, name: string): string | null {
  const text = given(search, name);
  if (text === null) return null;
  if (isDay(text)) return text;
  const time = parseInstant(text);
  if (time !== null) return new Date(time).toISOString();
  throw wrongParameter(name, 'must be an ISO 8601 date, or a date and time with a zone, from the year 1000 on');
}

export async function exported(context: Context, body: Json, { requestId }: RequestMetadata): Promise<RestResponse> {
  const { format, recordCount, data } = await exportRecords(context, body);
  const head = `{"request_id":${JSON.stringify(requestId)},"format":"${format}","record_count":${recordCount},"data":"`;
  return { status: 200, headers: { 'content-type': JSON_TYPE }, body: asJsonText(head, data) };
}

/** A JSON text that contains the pieces as one string. */
async function* asJsonText(head: string, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let before = head;
  for await (const piece of pieces) {
    yield before + JSON.stringify(piece).slice(1, -1);
    before = '';
  }
  yield `${before}"}`;
}

export const access = async (context: Context, body: Json): Promise<RestResponse> =>
  jsonResponse(200, await listAccess(context, body));
