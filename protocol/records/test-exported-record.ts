import { sha256 } from '@noble/hashes/sha2.js';
import { uuidV5 } from '../ids.ts';
import { canonicalJson, isObject, type Json } from '../signing/canonical-json.ts';
import { bytesToHex, hexToBytes, utf8ToBytes } from '../signing/encoding.ts';
import type { Exported, ExportedHolder, ExportedInstitution } from './exported-record.ts';
import { type BioRecord, classifyBiomarker } from './record.ts';

export const BEO_ID = uuidV5('test:beo');
export const HOLDER: ExportedHolder = { beo_id: BEO_ID, beo_domain: 'ana.bsp' };
export const EXPORTED_AT = '2026-11-21T12:00:00.000Z';

export const LAB: ExportedInstitution = {
  ieo_id: uuidV5('test:ieo'),
  domain: 'fleury.bsp',
  display_name: 'Laboratório Fleury',
  ieo_type: 'LAB',
  country: 'BR',
};

export type Submitted = { readonly [member: string]: Json } & { readonly biomarker?: string };

/** A record of hemoglobin as the exchange exports it, with the given members submitted, assigned and around it. */
export function exportedRecord(
  members: Submitted = {},
  assigned: Partial<BioRecord> = {},
  context: Partial<Pick<Exported, 'institution' | 'supersedes_exported'>> = {},
): Exported {
  const institution = context.institution ?? LAB;
  const submitted = {
    biomarker: 'BSP-HM-002',
    value: 13.5,
    unit: 'g/dL',
    collected_at: '2026-10-01T07:30:00.000Z',
    ...members,
  };
  const salt = bytesToHex(sha256(utf8ToBytes(canonicalJson(submitted))));
  const labels = classifyBiomarker(submitted.biomarker) ?? { category: '', level: '' };
  const source = members.source !== undefined && isObject(members.source) ? members.source : {};
  const record: BioRecord = {
    ref_range: null,
    confidence: null,
    supersedes: null,
    version: '1.0.0',
    ...submitted,
    ...labels,
    record_id: uuidV5(`test:record:${salt}`),
    beo_id: BEO_ID,
    ieo_id: institution.ieo_id,
    submitted_at: '2026-10-02T09:00:00.000Z',
    source: { ...source, ieo_id: institution.ieo_id, ieo_domain: institution.domain },
    status: 'ACTIVE',
    data_hash: bytesToHex(sha256(utf8ToBytes(canonicalJson(submitted)))),
    arweave_tx: 'A'.repeat(43),
    ...assigned,
  };
  return {
    record,
    proof: { commitment: commitmentOf(salt, submitted), salt, index: 0, arweave_tx: record.arweave_tx },
    submitted,
    institution,
    supersedes_exported: context.supersedes_exported ?? false,
  };
}

/** Protocol §10. */
export const commitmentOf = (salt: string, submitted: Json): string =>
  bytesToHex(
    sha256
      .create()
      .update(hexToBytes(salt))
      .update(utf8ToBytes(canonicalJson(submitted)))
      .digest(),
  );

/** Texts that break documents, spreadsheets and databases which do not escape them. */
export const HOSTILE: readonly string[] = [
  '<script>alert(1)</script>',
  '</div><div onmouseover="x">&amp;&#0;]]>',
  `"quoted", 'single', back\\slash`,
  'two\r\nlines\n\rand\ttabs',
  '=HYPERLINK("http://x","y")',
  "+cmd|' /C calc'!A0",
  '-2+3',
  '@SUM(A1)',
  '＝1+1',
  '－1－1',
  '\u00a0\u2003=1',
  '\u200b\ufeff@x',
  '\t=1',
  '\r=1',
  '𝔘𝔫𝔦𝔠𝔬𝔡𝔢 👩🏽‍⚕️ \u{10ffff}',
  'U+0001 \u0001, U+FFFE \ufffe, U+FFFF \uffff, U+0085 \u0085, U+2028 \u2028',
  '\u202eright to left',
  '__proto__',
  'null',
  '1.50',
  ' ',
  '\u3000',
  'x'.repeat(10_000),
  '👩🏽‍⚕️'.repeat(1_400),
];
