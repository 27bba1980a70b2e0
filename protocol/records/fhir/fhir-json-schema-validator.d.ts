/** The part that tests use; the package has no types. */
declare module '@asymmetrik/fhir-json-schema-validator' {
  export default class JSONSchemaValidator {
    /** @returns the errors of JSON Schema; none where the resource is valid */
    validate(resource: object): readonly { readonly dataPath: string; readonly message: string }[];
  }
}
