import Arweave from 'arweave';

/** A tag of a transaction, as text. */
export type TransactionTag = { name: string; value: string };

/** A signed format-2 transaction as nodes accept it, without its data. Numbers are decimal text, bytes base64url. */
export type SignedTransaction = {
  format: 2;
  id: string;
  last_tx: string;
  owner: string;
  tags: TransactionTag[];
  target: string;
  quantity: string;
  data_size: string;
  data_root: string;
  reward: string;
  signature: string;
};

/** The size of the pieces in which data are stored and proved. Their number determines a transaction's price. */
export const CHUNK_BYTES = 256 * 1024;

const { transactions } = Arweave.init({});

/** What a transaction signs: Arweave's deep hash of its fields, 48 bytes. */
export function signatureMessage(transaction: Omit<SignedTransaction, 'id' | 'signature'>): Promise<Uint8Array> {
  return transactions.fromRaw(transaction).getSignatureData();
}

export type DataChunk = {
  /** The range of the chunk in the data. */
  start: number;
  end: number;
  /** base64url: the Merkle proof that the chunk belongs to the data_root. */
  dataPath: string;
  /** The offset of the chunk's last byte, decimal, for POST /chunk. */
  offset: string;
};

/** Splits data as the network does; the root is base64url, and empty for no data. */
export async function splitData(data: Uint8Array): Promise<{ dataRoot: string; chunks: DataChunk[] }> {
  const transaction = transactions.fromRaw({});
  await transaction.prepareChunks(data);
  const { chunks, proofs } = transaction.chunks ?? { chunks: [], proofs: [] };
  return {
    dataRoot: transaction.data_root,
    chunks: chunks.map(({ minByteRange, maxByteRange }, index) => {
      const proof = proofs[index];
      if (!proof) throw new Error(`The arweave package returned no proof for chunk ${index}.`);
      return {
        start: minByteRange,
        end: maxByteRange,
        dataPath: Buffer.from(proof.proof).toString('base64url'),
        offset: String(proof.offset),
      };
    }),
  };
}

export function encodeTransactionTags(tags: readonly TransactionTag[]): TransactionTag[] {
  const encode = (text: string) => Buffer.from(text).toString('base64url');
  return tags.map(({ name, value }) => ({ name: encode(name), value: encode(value) }));
}

export function decodeTransactionTags(tags: readonly TransactionTag[]): TransactionTag[] {
  const decode = (text: string) => Buffer.from(text, 'base64url').toString();
  return tags.map(({ name, value }) => ({ name: decode(name), value: decode(value) }));
}
