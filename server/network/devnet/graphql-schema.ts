import { buildSchema } from 'graphql';

/** The transactions and blocks part of arweave.net's schema, with the same names. */
export const schema = buildSchema(`
  type Query {
    transaction(id: ID!): Transaction
    transactions(
      ids: [ID!]
      owners: [String!]
      recipients: [String!]
      tags: [TagFilter!]
      bundledIn: [ID!]
      block: BlockFilter
      first: Int = 10
      after: String
      sort: SortOrder = HEIGHT_DESC
    ): TransactionConnection!
    block(id: String): Block
    blocks(ids: [ID!], height: BlockFilter, first: Int = 10, after: String, sort: SortOrder = HEIGHT_DESC): BlockConnection!
  }

  enum SortOrder { HEIGHT_ASC HEIGHT_DESC INGESTED_AT_ASC INGESTED_AT_DESC }
  enum TagOperator { EQ NEQ }
  enum TagMatch { EXACT }
  input TagFilter { name: String, values: [String!], op: TagOperator = EQ, match: TagMatch = EXACT }
  input BlockFilter { min: Int, max: Int }

  type PageInfo { hasNextPage: Boolean! }
  type TransactionConnection { count: String, pageInfo: PageInfo!, edges: [TransactionEdge!]! }
  type TransactionEdge { cursor: String!, node: Transaction! }
  type BlockConnection { pageInfo: PageInfo!, edges: [BlockEdge!]! }
  type BlockEdge { cursor: String!, node: Block! }

  type Transaction {
    id: ID!
    anchor: String!
    signature: String!
    recipient: String!
    owner: Owner!
    fee: Amount!
    quantity: Amount!
    data: MetaData!
    tags: [Tag!]!
    "Null while the transaction is pending."
    block: Block
    ingested_at: Int
    parent: Parent
    bundledIn: Bundle
  }
  type Owner { address: String!, key: String! }
  type Amount { winston: String!, ar: String! }
  type MetaData { size: String!, type: String }
  type Tag { name: String!, value: String! }
  "The timestamp is in seconds since 1970."
  type Block { id: ID!, timestamp: Int!, height: Int!, previous: ID! }
  type Parent { id: ID! }
  type Bundle { id: ID! }
`);
