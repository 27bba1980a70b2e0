import { refusal } from '../../../protocol/errors.ts';
import { commitmentOf } from '../../../protocol/records/submitted.ts';
import { canonicalJson, type Json } from '../../../protocol/signing/canonical-json.ts';
import { hexToBytes } from '../../../protocol/signing/encoding.ts';
import { type ExportFormatName, SOVEREIGN_EXPORT } from '../../../protocol/signing/exchange-requests.ts';
import { available } from '../../platform/db/pool.ts';
import type { Vault } from '../vault/vault.ts';
import { saveAccessEvent } from './access-events.ts';
import { type AuthorizedRead, authorizeRead, type ExchangeParts } from './authorize-read.ts';
import { coveredCategories, coveredPeriod } from './coverage.ts';
import { type ExportSelection, exportedRecords, snapshot, statusAt } from './export-rows.ts';
import type { ExportFacts } from './formats/exported.ts';
import { exportWriter } from './formats/format.ts';
import { exportedInstitution, institutionsOf } from './institutions.ts';
import { checkTotals } from './record-totals.ts';
import { openRecord, recordView } from './record-view.ts';

type Parts = ExchangeParts & { readonly vault: Vault };

/** A started export: the number of its records, and its text in pieces. */
export interface Export {
  readonly format: ExportFormatName;
  readonly recordCount: number;
  readonly data: AsyncIterable<string>;
}

/**
 * Exports everything that a token covers, superseded records included, as of the request. Protocol §8.
 * @throws what authorizeRead throws
 */
export async function exportRecords(parts: Parts, body: Json): Promise<Export> {
  const { pool, vault } = parts;
  const use = await authorizeRead(parts, SOVEREIGN_EXPORT, body, 'EXPORT_DATA');
  const { holder, token, user } = use;
  const format = String(use.fields.format) as ExportFormatName;
  const { scope: categories } = coveredCategories(use, [], {});
  const { from, to } = coveredPeriod(use, {});
  return available(async () => {
    const key = await vault.ensureKey(pool, holder.id);
    if (!key) throw refusal('BEO_DESTROYED');
    const selection: ExportSelection = { ownerId: holder.id, categories, from, to, most: token.scope.max_records };
    const exported = await snapshot(pool, selection);
    await checkTotals(pool, key, holder.id);
    const at = new Date(use.now).toISOString();
    await saveAccessEvent(
      pool,
      { key, ownerId: holder.id, at },
      {
        kind: 'export',
        token_id: token.id,
        grantee_id: user.id,
        grantee_domain: user.domain,
        records: exported.count,
        format,
      },
    );
    const facts = factsOf(use, exported.count);
    return {
      format,
      recordCount: exported.count,
      data: exportText(parts, { format, facts, key, selection, exported }),
    };
  });
}

interface ExportParts {
  readonly format: ExportFormatName;
  readonly facts: ExportFacts;
  readonly key: Uint8Array;
  readonly selection: ExportSelection;
  readonly exported: Awaited<ReturnType<typeof snapshot>>;
}

/** The minimum length of a piece in characters. */
const PIECE = 64 * 1024;

/**
 * @throws {Error} if records disappeared because the identity was destroyed: a partial export must not look complete
 */
async function* exportText(
  { pool, recordPool }: Parts,
  { format, facts, key, selection, exported }: ExportParts,
): AsyncGenerator<string> {
  const writer = exportWriter(format, facts);
  const institutions = institutionsOf(pool);
  // A correction has the biomarker of its record, so only a period or a maximum can separate them.
  const whole = selection.from === null && selection.to === null && selection.most === null;
  yield writer.begin();
  let count = 0;
  for await (const rows of exportedRecords(recordPool, selection, exported)) {
    const known = await institutions(rows.map(({ ieo_id }) => ieo_id));
    let text = '';
    for (const row of rows) {
      if (text.length > PIECE) {
        yield text;
        text = '';
      }
      const content = openRecord(key, row);
      const institution = known.get(row.ieo_id);
      if (!institution) throw refusal('INTERNAL');
      const record = recordView(
        { ...row, status: statusAt(row, exported.seq), ieo_domain: institution.domain },
        content,
      );
      const { submitted, salt } = content;
      const commitment = commitmentOf(hexToBytes(salt), canonicalJson(submitted));
      const proof = { commitment, salt, index: row.position, arweave_tx: row.transaction_id };
      text += writer.record({
        record,
        proof,
        submitted,
        institution,
        supersedes_exported: whole && record.supersedes !== null,
      });
      count += 1;
    }
    yield text;
  }
  if (count !== exported.count) throw refusal('BEO_DESTROYED');
  yield writer.end();
}

const factsOf = ({ holder, token, grantee, now }: AuthorizedRead, recordCount: number): ExportFacts => ({
  beo_id: holder.id,
  beo_domain: holder.domain ?? '',
  exported_at: new Date(now).toISOString(),
  record_count: recordCount,
  token: {
    token_id: token.id,
    scope: token.scope,
    granted_at: token.grantedAt,
    expires_at: token.expiresAt,
    grantee: grantee.kind === 'BEO' ? { kind: 'BEO' } : { kind: 'IEO', ...exportedInstitution(grantee) },
  },
});
