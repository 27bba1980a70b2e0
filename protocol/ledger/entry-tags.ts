/** The members of an entry that its tags repeat. */
export interface LabelledEntry {
  readonly function: string;
  readonly entity_id: string;
  readonly seq: number;
}

/** The tags of an entry's data item, in order. Protocol §10. */
export const entryTags = (entry: LabelledEntry) => [
  { name: 'App-Name', value: 'Perpetua' },
  { name: 'App-Version', value: '1' },
  { name: 'Content-Type', value: 'application/json' },
  { name: 'Function', value: entry.function },
  { name: 'Entity-Id', value: entry.entity_id },
  { name: 'Seq', value: String(entry.seq) },
];

/** The text whose SHA-256 is the anchor of an entry's data item. Protocol §10. */
export const anchorText = (prev: string | null, seq: number): string => `${prev ?? ''}:${seq}`;
