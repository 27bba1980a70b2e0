import { z } from 'zod';
import { accessPage, exportBody, recordPage } from '../../../protocol/read-responses.ts';
import { classifyBiomarker } from '../../../protocol/records/record.ts';
import { CATEGORIES, LEVELS } from '../../../protocol/records/taxonomy.ts';
import { oneOf } from '../../../protocol/shapes.ts';
import { LIST_ACCESS, READ_RECORDS, SOVEREIGN_EXPORT } from '../../../protocol/signing/exchange-requests.ts';
import { TOKEN_USE_ERRORS } from '../../features/records/authorize-read.ts';
import { exportRecords } from '../../features/records/export-records.ts';
import { listAccess } from '../../features/records/list-access.ts';
import { readRecords } from '../../features/records/read-records.ts';
import { RECORD_BOUNDS } from '../../platform/db/bounds.ts';
import { JSON_TYPE } from '../http.ts';
import { listed, moment, pageLimit, wholeNumber } from './parameters.ts';
import { json, jsonAction, jsonQuery, rawAction } from './rest-endpoint.ts';

const GRANTEE_OR_HOLDER = 'the grantee of the consent, or its holder';

const biomarker = (error: string) =>
  z
    .string({ error })
    .refine((code) => classifyBiomarker(code) !== null, { error })
    .meta({ pattern: `^(${CATEGORIES.join('|')})-[0-9]{3}$` });

export const records = jsonQuery({
  title: 'Read records',
  description: 'The records that the consent covers, newest collected first. The filters are not signed.',
  signed: { form: READ_RECORDS, signer: GRANTEE_OR_HOLDER, mayBeInQuery: true },
  parameters: z.strictObject({
    categories: listed((error) => z.enum(CATEGORIES, { error }), 'codes of categories, like BSP-CV'),
    biomarkers: listed(biomarker, 'codes of biomarkers, like BSP-CV-001'),
    levels: listed((error) => z.enum(LEVELS, { error }), LEVELS.join(', ')),
    status: oneOf(['ACTIVE', 'SUPERSEDED']).default('ACTIVE').describe('Whether a later version replaced the record.'),
    from: moment,
    to: moment,
    limit: pageLimit(RECORD_BOUNDS),
    offset: wholeNumber({ min: 0, max: 1_000_000_000, fallback: 0 }).describe('How many records to leave out first.'),
  }),
  response: recordPage,
  errors: [...TOKEN_USE_ERRORS, 'CATEGORY_NOT_AUTHORIZED', 'PERIOD_NOT_AUTHORIZED'],
  answer: async (context, { signed, parameters, requestId }) => ({
    request_id: requestId,
    ...(await readRecords(context, signed, parameters)),
  }),
});

export const exported = rawAction({
  title: 'Export records',
  description: 'Everything that the consent covers, superseded records included. The response is streamed.',
  signed: { form: SOVEREIGN_EXPORT, signer: GRANTEE_OR_HOLDER },
  answers: [json(exportBody)],
  errors: TOKEN_USE_ERRORS,
  async answer(context, body, { requestId }) {
    const { format, recordCount, data } = await exportRecords(context, body);
    const head = `{"request_id":${JSON.stringify(requestId)},"format":"${format}","record_count":${recordCount},"data":"`;
    return { status: 200, headers: { 'content-type': JSON_TYPE }, body: asJsonText(head, data) };
  },
});

/** A JSON text that contains the pieces as one string. */
async function* asJsonText(head: string, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let before = head;
  for await (const piece of pieces) {
    yield before + JSON.stringify(piece).slice(1, -1);
    before = '';
  }
  yield `${before}"}`;
}

export const access = jsonAction({
  title: 'List who used consents',
  description: 'Who used a consent on the records of a person, when, and for how many records; newest first.',
  signed: { form: LIST_ACCESS, signer: 'the holder' },
  response: accessPage,
  errors: ['BEO_NOT_FOUND', 'BEO_DESTROYED', 'INTEGRITY_FAILED'],
  answer: (context, body) => listAccess(context, body),
});
