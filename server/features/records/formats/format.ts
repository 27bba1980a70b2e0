import { exportBody } from '../../../../protocol/read-responses.ts';
import { csvWriter } from './csv.ts';
import type { ExportFacts, ExportWriter } from './exported.ts';
import { fhirWriter } from './fhir/bundle.ts';
import { jsonWriter } from './json.ts';

const WRITERS = { JSON: jsonWriter, CSV: csvWriter, FHIR_R4: fhirWriter } satisfies Record<
  string,
  (facts: ExportFacts) => ExportWriter
>;

/** The export formats. Protocol §8. */
export type ExportFormat = keyof typeof WRITERS;
export const EXPORT_FORMATS: readonly ExportFormat[] = exportBody.shape.format.options;

export const exportWriter = (format: ExportFormat, facts: ExportFacts): ExportWriter => WRITERS[format](facts);
