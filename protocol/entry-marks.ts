/** What the data item of an entry shows of it without being opened. */
export interface LabelledEntry {
  readonly function: string;
  readonly entity_id: string;
  readonly seq: number;
}

/** The tags of an entry's data item, in the order they are written. Protocol §10. */
export const entryTags = (entry: LabelledEntry) => [
  { name: 'App-Name', value: 'Perpetua' },
  { name: 'App-Version', value: '1' },
  { name: 'Content-Type', value: 'application/json' },
  { name: 'Function', value: entry.function },
  { name: 'Entity-Id', value: entry.entity_id },
  { name: 'Seq', value: String(entry.seq) },
];

/** What the anchor of an entry's data item is the SHA-256 of. */
export const anchorText = (prev: string | null, seq: number): string => `${prev ?? ''}:${seq}`;
