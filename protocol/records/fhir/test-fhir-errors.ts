import JSONSchemaValidator from '@asymmetrik/fhir-json-schema-validator';
import { Fhir } from 'fhir';

const definitions = new Fhir();
const schema = new JSONSchemaValidator();

/**
 * The errors that two independent validators report in a document: one by the definitions of R4 and the value sets they require, and
 * one by HL7's JSON Schema of R4.
 */
export function fhirErrors(document: object): string[] {
  const { messages } = definitions.validate(document, { errorOnUnexpected: true });
  return [
    ...messages.flatMap(({ severity, message }) => (severity === 'error' ? (message ?? []) : [])),
    ...schema.validate(document).map(({ dataPath, message }) => `${dataPath} ${message}`),
  ];
}
