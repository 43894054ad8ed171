import Type from 'typebox'
import { EventSubject } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { collection, operation, paging, scoped } from '../operation.ts'
import { closed, Hash, list, named, oneOf, orNull, RecordId, Timestamp } from '../scalars.ts'

const place = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const
const TreeSize = Type.Integer({ ...place, description: 'Number of leaves.' })
const path = list(Hash, 64, {
  description: 'RFC 6962 hashes, in order of use.',
})
const Note = Type.String({
  maxLength: 4000,
  description:
    'Exact signed note (c2sp.org/tlog-checkpoint): name of the log, number of leaves, root in base64, an empty line, and a line for each signature.',
})

const head = {
  treeSize: TreeSize,
  rootHash: Hash,
  note: Note,
}

/** Newest checkpoint of the log and its signer, for later consistency checks. */
export const ProofLogHead = named(
  'ProofLogHead',
  closed({
    origin: Type.String({ maxLength: 300, description: 'Permanent name of the log.' }),
    ...head,
    signedAt: Timestamp,
    key: closed({
      name: Type.String({ maxLength: 300 }),
      keyId: Type.String({
        pattern: '^[0-9a-f]{8}$',
        description: 'First four bytes of SHA-256(name ‖ 0x0A ‖ 0x01 ‖ public key).',
      }),
      publicKey: Type.String({
        maxLength: 60,
        description:
          'Ed25519, the 32 raw bytes in base64; the key that has to have signed this head.',
      }),
    }),
    handovers: list(
      Type.String({
        maxLength: 2000,
        description:
          'A signed note of a key rotation, signed by both keys. A verifier that knows one key learns the other.',
      }),
      1000,
    ),
  }),
)

const ProofLeaf = named(
  'ProofLeaf',
  closed({
    kind: Type.Literal('LEAF'),
    leafIndex: Type.Integer({ ...place, description: 'Index from 0, over all organizations.' }),
    leafHash: Hash,
    leaf: closed(
      {
        kind: Type.Literal('EVENT'),
        subjectHash: Hash,
        loggedAt: Type.String({
          pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$',
          description: 'Time of the log entry, in whole seconds.',
        }),
      },
      {
        description:
          'The leaf is D("proof-leaf/v1", this), and `subjectHash` the evidenceHash of the event.',
      },
    ),
    subject: EventSubject,
    event: closed({ id: RecordId, kind: Type.String({ maxLength: 100 }) }),
    inclusion: closed({ treeSize: TreeSize, path }),
    checkpoint: closed(head),
  }),
)

const ProofCheckpoint = named(
  'ProofCheckpoint',
  closed({
    kind: Type.Literal('CHECKPOINT'),
    ...head,
    consistency: orNull(
      closed(
        { fromSize: TreeSize, path },
        {
          description:
            'Consistency proof from the previous checkpoint, of `fromSize` leaves; null for the first.',
        },
      ),
    ),
    signedAt: Timestamp,
  }),
)

export const ProofItem = named('ProofItem', Type.Union([ProofLeaf, ProofCheckpoint]))

export const listProofV2 = operation({
  id: 'listProofV2',
  method: 'GET',
  path: '/proof',
  tag: 'Prove',
  family: 'Proof, vaults, receipts and passports',
  summary: 'List proof',
  description:
    "Proof log, newest first: leaves of the organization's events, each with its inclusion proof to the newest checkpoint, and the checkpoints of the whole log, each with its consistency proof from the previous one. An event becomes a leaf within ten seconds.",
  auth: scoped('proof:read'),
  permission: 'read',
  paging: paging(50, 100),
  query: {
    kind: Type.Optional(oneOf(['LEAF', 'CHECKPOINT'], 'Kind filter.')),
    subject: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 160,
        description: 'Id of a record: leaves of its events. Not with kind=CHECKPOINT.',
      }),
    ),
  },
  success: [200],
  response: collection(ProofItem),
})

export const proofFamily = declareFamily({
  module: 'prove/proof',
  operations: [listProofV2],
  ui: {
    page: 'proof/log',
    task: 'Proof log',
    icon: 'link',
    summary: 'Append-only Merkle log of all events.',
    empty: 'Each change of a record adds an entry.',
    title: 'kind',
    columns: ['kind', 'leafIndex', 'treeSize', 'subject', 'leafHash', 'rootHash', 'signedAt'],
    docs: 'proof',
  },
})
