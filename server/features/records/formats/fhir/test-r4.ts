import { z } from 'zod';

/**
 * The part of FHIR R4 (4.0.1) that the exports use: cardinalities, primitive types, required value sets and invariants.
 * Strict, so that unknown members are refused.
 * https://hl7.org/fhir/R4/datatypes.html and the page of each resource.
 */

const id = z.string().regex(/^[A-Za-z0-9\-.]{1,64}$/);
const uri = z.string().regex(/^\S+$/);
const code = z.string().regex(/^[^\s]+(\s[^\s]+)*$/);
const text = z
  .string()
  .regex(/^[ \r\n\t\S]+$/)
  .refine((value) => value.trim() !== '', 'must not be blank')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches the forbidden control characters
  .refine((value) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(value), 'must have no control characters')
  .refine((value) => value.isWellFormed());
const YEAR = '([0-9]([0-9]([0-9][1-9]|[1-9]0)|[1-9]00)|[1-9]000)';
const DAY = '(0[1-9]|1[0-2])-(0[1-9]|[1-2][0-9]|3[0-1])';
const TIME = '([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]+)?(Z|(\\+|-)((0[0-9]|1[0-3]):[0-5][0-9]|14:00))';
const instant = z.string().regex(new RegExp(`^${YEAR}-${DAY}T${TIME}$`));
/** A day may be without a time; with one, it needs a zone. */
const dateTime = z.string().regex(new RegExp(`^${YEAR}-${DAY}(T${TIME})?$`));
const base64Binary = z.string().regex(/^(\s*([0-9a-zA-Z+/=]){4}\s*)+$/);
const decimal = z.number();

const filled = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape).refine((value) => Object.keys(value).length > 0, 'must not be empty (ele-1)');
const list = <Item extends z.ZodType>(item: Item) => z.array(item).min(1);

const coding = filled({ system: uri.optional(), code: code.optional(), display: text.optional() });
const concept = filled({ coding: list(coding).optional(), text: text.optional() });
const plainIdentifier = { system: uri.optional(), value: text.optional() };
const reference = filled({
  reference: text.optional(),
  type: uri.optional(),
  identifier: filled(plainIdentifier).optional(),
  display: text.optional(),
});
const identifier = filled({ ...plainIdentifier, assigner: reference.optional() });
const quantityShape = {
  value: decimal.optional(),
  unit: text.optional(),
  system: uri.optional(),
  code: code.optional(),
};
const hasSystem = ({ code, system }: { code?: string | undefined; system?: string | undefined }) =>
  code === undefined || system !== undefined;
const simpleQuantity = filled(quantityShape).refine(hasSystem, 'qty-3');
const quantity = filled({ ...quantityShape, comparator: z.enum(['<', '<=', '>=', '>']).optional() }).refine(
  hasSystem,
  'qty-3',
);
const period = filled({ start: dateTime.optional(), end: dateTime.optional() });
const extension: z.ZodType = z.lazy(() =>
  z
    .strictObject({
      url: uri,
      extension: list(extension).optional(),
      valueString: text.optional(),
      valueDecimal: decimal.optional(),
      valueUnsignedInt: z.int().min(0).optional(),
      valuePositiveInt: z.int().min(1).optional(),
      valueCode: code.optional(),
      valueReference: reference.optional(),
    })
    .refine((value) => Object.keys(value).length === 2, 'ext-1: a value or extensions'),
);

/** The XHTML that the exports write: one div of text with escaped markup. */
const narrative = z.strictObject({
  status: z.literal('generated'),
  div: z
    .string()
    .regex(/^<div xmlns="http:\/\/www\.w3\.org\/1999\/xhtml">(?=[^<]*\S)([^<>&]|&(amp|lt|gt|quot);)*<\/div>$/)
    .refine((value) => value.isWellFormed()),
});

const device = z.strictObject({
  resourceType: z.literal('Device'),
  id,
  deviceName: list(z.strictObject({ name: text, type: z.literal('user-friendly-name') })).optional(),
  version: list(z.strictObject({ value: text })).optional(),
});

const binary = z.strictObject({ resourceType: z.literal('Binary'), id, contentType: code, data: base64Binary });

const patient = z.strictObject({
  resourceType: z.literal('Patient'),
  id,
  text: narrative,
  identifier: list(identifier),
});

const organization = z
  .strictObject({
    resourceType: z.literal('Organization'),
    id,
    text: narrative,
    identifier: list(identifier).optional(),
    type: list(concept).optional(),
    name: text.optional(),
    address: list(filled({ country: text })).optional(),
  })
  .refine(({ identifier, name }) => identifier !== undefined || name !== undefined, 'org-1');

const consent = z.strictObject({
  resourceType: z.literal('Consent'),
  id,
  text: narrative,
  identifier: list(identifier).optional(),
  status: z.enum(['draft', 'proposed', 'active', 'rejected', 'inactive', 'entered-in-error']),
  scope: concept,
  category: list(concept),
  patient: reference,
  dateTime,
  performer: list(reference),
  policyRule: concept,
  provision: z.strictObject({
    modifierExtension: list(extension).optional(),
    type: z.enum(['deny', 'permit']),
    period: period.optional(),
    actor: list(z.strictObject({ role: concept, reference })),
    action: list(concept),
    class: list(coding).optional(),
    code: list(concept).optional(),
    dataPeriod: period.optional(),
  }),
});

const value = {
  valueQuantity: quantity.optional(),
  valueString: text.optional(),
  valueBoolean: z.boolean().optional(),
  dataAbsentReason: concept.optional(),
};
const oneValue = (resource: Record<string, unknown>) =>
  Object.keys(resource).filter((name) => name.startsWith('value')).length <= 1;
const absentOrPresent = (resource: { dataAbsentReason?: unknown }) =>
  resource.dataAbsentReason === undefined || !Object.keys(resource).some((name) => name.startsWith('value'));

const observation = z
  .strictObject({
    resourceType: z.literal('Observation'),
    id,
    text: narrative,
    contained: list(device).optional(),
    extension: list(extension).optional(),
    identifier: list(identifier),
    status: z.enum([
      'registered',
      'preliminary',
      'final',
      'amended',
      'corrected',
      'cancelled',
      'entered-in-error',
      'unknown',
    ]),
    category: list(concept),
    code: concept,
    subject: reference,
    effectiveDateTime: dateTime.optional(),
    _effectiveDateTime: z.strictObject({ extension: list(extension) }).optional(),
    issued: instant,
    performer: list(reference),
    ...value,
    interpretation: list(concept).optional(),
    method: concept.optional(),
    device: reference.optional(),
    referenceRange: list(
      z
        .strictObject({
          low: simpleQuantity.optional(),
          high: simpleQuantity.optional(),
          type: concept.optional(),
          appliesTo: list(concept).optional(),
          text: text.optional(),
        })
        .refine(({ low, high, text }) => low !== undefined || high !== undefined || text !== undefined, 'obs-3'),
    ).optional(),
    component: list(
      z
        .strictObject({ code: concept, ...value })
        .refine(oneValue)
        .refine(absentOrPresent),
    ).optional(),
  })
  .refine(oneValue, 'value[x] is 0..1')
  .refine(absentOrPresent, 'obs-6')
  .refine(
    ({ contained = [], device }) => contained.every(({ id }) => device?.reference === `#${id}`),
    'dom-3: contained resources must be referenced',
  );

const provenance = z
  .strictObject({
    resourceType: z.literal('Provenance'),
    id,
    text: narrative,
    contained: list(binary),
    extension: list(extension),
    target: list(reference),
    recorded: instant,
    activity: concept,
    agent: list(z.strictObject({ type: concept, who: reference })),
    entity: list(
      z.strictObject({ role: z.enum(['derivation', 'revision', 'quotation', 'source', 'removal']), what: reference }),
    ),
  })
  .refine(
    ({ contained, entity }) => contained.every(({ id }) => entity.some(({ what }) => what.reference === `#${id}`)),
    'dom-3: contained resources must be referenced',
  );

const resource = z.discriminatedUnion('resourceType', [patient, organization, consent, observation, provenance]);

/** A Bundle of type collection, as the exports write it. */
export const bundle = z
  .strictObject({
    resourceType: z.literal('Bundle'),
    id,
    identifier,
    type: z.literal('collection'),
    timestamp: instant,
    entry: list(z.strictObject({ fullUrl: uri, resource })),
  })
  .refine(({ entry }) => new Set(entry.map(({ fullUrl }) => fullUrl)).size === entry.length, 'bdl-7')
  .refine(
    ({ entry }) => entry.every(({ fullUrl, resource }) => fullUrl === `urn:uuid:${resource.id}`),
    'fullUrl must match the id',
  );

export type Bundle = z.infer<typeof bundle>;
export type Resource = z.infer<typeof resource>;
export type Observation = z.infer<typeof observation>;
export type Provenance = z.infer<typeof provenance>;

/** The types of resource that R4 allows for the references in the exports. */
export const REFERENCE_TARGETS: Readonly<Record<string, readonly string[]>> = {
  patient: ['Patient'],
  subject: ['Patient', 'Group', 'Device', 'Location'],
  performer: ['Practitioner', 'PractitionerRole', 'Organization', 'CareTeam', 'Patient', 'RelatedPerson'],
  who: ['Practitioner', 'PractitionerRole', 'RelatedPerson', 'Patient', 'Device', 'Organization'],
  valueReference: ['Observation'],
};
