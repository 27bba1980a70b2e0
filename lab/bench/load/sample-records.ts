import type { JsonObject } from '../../../protocol/signing/message.ts';

type Panel = readonly [biomarker: string, unit: string, low: number, high: number, method: string];

const PANELS: readonly Panel[] = [
  ['BSP-HM-002', 'g/dL', 12, 17.5, 'Spectrophotometry (SLS)'],
  ['BSP-HM-007', '10*3/uL', 150, 400, 'Impedance count'],
  ['BSP-HM-008', '10*3/uL', 4, 11, 'Flow cytometry'],
  ['BSP-VT-001', 'ng/mL', 30, 100, 'LC-MS/MS'],
  ['BSP-VT-002', 'pg/mL', 200, 900, 'Electrochemiluminescence immunoassay'],
  ['BSP-MN-006', 'mmol/L', 135, 145, 'Ion-selective electrode, indirect'],
  ['BSP-HR-001', 'mIU/L', 0.4, 4, 'Chemiluminescence immunoassay'],
  ['BSP-RN-001', 'mg/dL', 0.6, 1.2, 'Enzymatic (IDMS traceable)'],
  ['BSP-LP-001', 'mg/dL', 120, 200, 'Enzymatic colorimetry'],
  ['BSP-GL-002', '%', 4, 5.6, 'HPLC (NGSP certified)'],
  ['BSP-DV-002', '/min', 50, 90, 'Photoplethysmography'],
];

const FIRST_TIME = Date.UTC(2021, 0, 1);
const MS_APART = 26 * 60_000;
const DISTINCT_TIMES = 100_000;

/** A measurement as a laboratory's client sends it, about 500 bytes of JSON. The same index gives the same record. */
export function sampleRecord(index: number): JsonObject {
  const [biomarker, unit, low, high, method] = PANELS[index % PANELS.length] as Panel;
  const share = ((index * 7_919) % 1_000) / 1_000;
  const number = Math.abs(Math.round((low + (high - low) * (share * 1.4 - 0.2)) * 100) / 100);
  const [optimal_low, optimal_high] = [low + (high - low) / 4, high - (high - low) / 4];
  return {
    ...{ biomarker, category: biomarker.slice(0, 6), unit, confidence: 0.9 + (index % 10) / 100, version: '1.0.0' },
    value: index % 25 === 0 ? `< ${low || 1} (hämolytisch, repeated)` : number,
    collected_at: new Date(FIRST_TIME + (index % DISTINCT_TIMES) * MS_APART).toISOString(),
    ref_range: {
      ...{ functional_low: low, functional_high: high, optimal_low, optimal_high },
      ...{ unit, population: 'adults, 18 to 65 years, fasting' },
    },
    source: {
      ...{ method, specimen: 'serum', sample_id: `S-${(index * 104_729) % 10_000_000}` },
      equipment: `Analyser line ${index % 7}, module c${500 + (index % 3)}`,
      ...{ operator: `operator-${index % 40}`, firmware: `4.${index % 5}.1` },
    },
  };
}
