import Type, { type Static } from 'typebox'
import { Ref, versioned } from '../envelope.ts'
import { declareFamily, recordQueryOf } from '../family.ts'
import { anyone, data, operation, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import { closed, EvidenceHashes, Hash, named, Reason, Timestamp } from '../scalars.ts'
import { SharedSimulationStudy } from './shared-study.ts'

const Slug = named(
  'StudySlug',
  Type.String({
    pattern: '^[a-z0-9][a-z0-9-]{7,63}$',
    description:
      'Last part of the public address, 8 to 64 characters; one of its kind in the deployment and never given out again. A chosen one is public by intent and can be guessed.',
    examples: ['launch-half-hour'],
  }),
)

export const StudyDisclosure = named(
  'StudyDisclosure',
  closed(
    {
      showOrganization: Type.Boolean({ description: 'The name of the organization.' }),
      showAmounts: Type.Boolean({
        description:
          'Amounts in atoms. Otherwise every amount is rescaled to a capital of 1,000,000, and those of the market are left out: beside them the scale could be computed.',
      }),
      showVenueAddress: Type.Boolean({
        description: 'Name and address of the venue, chain, tokens and blocks of the window.',
      }),
      showStrategyParameters: Type.Boolean({
        description: 'Positions and strategies of the arms, and what they did.',
      }),
      showAssumptions: Type.Boolean({ description: 'The assumptions of the study.' }),
    },
    { description: 'What readers of the link may see beside the result itself.' },
  ),
)
export type StudyDisclosure = Static<typeof StudyDisclosure>

export const StudyShare = named(
  'StudyShare',
  closed({
    study: Ref,
    slug: Slug,
    url: Type.String({ format: 'uri', description: 'Where anyone can read it.' }),
    expiresAt: Timestamp,
    disclosure: StudyDisclosure,
  }),
)
export const StudyShareRecord = versioned('StudyShare', StudyShare)
export type StudyShare = Static<typeof StudyShare>

export const StudyShareRequest = named(
  'StudyShareRequest',
  closed({
    payload: closed({
      resourceVersion: Type.Optional(Hash),
      slug: Type.Optional(Slug),
      expiresAt: Type.Optional(Timestamp),
      disclosure: StudyDisclosure,
    }),
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

export const StudyShareRevocation = named(
  'StudyShareRevocation',
  closed({
    payload: Type.Optional(closed({ resourceVersion: Type.Optional(Hash) })),
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

const studyShares = {
  path: '/study-shares',
  tag: 'Simulate',
  family: 'Simulation studies and sharing',
  one: 'StudyShare',
  record: StudyShareRecord,
} as const

const moves = { ACTIVE: ['REVOKED', 'EXPIRED'], REVOKED: [], EXPIRED: [] } as const

export const listStudyShares = listOperation(studyShares, {
  id: 'listStudyShares',
  summary: 'List study shares',
  query: recordQueryOf(moves, 'a study'),
})

export const getStudyShares = getOperation(studyShares, {
  id: 'getStudyShares',
  summary: 'Read one study share',
  note: 'Past expiresAt nobody can read the link any more; within the hour the record says EXPIRED.',
})

export const createStudyShareLink = operation({
  id: 'createStudyShareLink',
  method: 'POST',
  path: '/studies/{id}/share-links',
  tag: 'Simulate',
  family: 'Simulation studies and sharing',
  summary: 'Share a study by a public link',
  description:
    'Creates a StudyShare for one study; the share is what /public/studies/{slug} serves. It pins one generation of the study for ever: the named one, or the current one. Without a slug a random one of 130 bits; without expiresAt 30 days, at most 365.',
  auth: session,
  permission: 'simulate',
  idempotency: 'key-160',
  success: [201],
  body: StudyShareRequest,
  response: record(StudyShareRecord),
  errors: [
    'LIQUIDITY_STUDY_NOT_TERMINAL',
    'LIQUIDITY_STUDY_GENERATION_MISMATCH',
    'LIQUIDITY_STUDY_SHARE_SLUG_TAKEN',
  ],
  example: {
    body: {
      payload: {
        slug: 'launch-half-hour',
        disclosure: {
          showOrganization: true,
          showAmounts: false,
          showVenueAddress: true,
          showStrategyParameters: true,
          showAssumptions: true,
        },
      },
      reason: 'For the readers of the launch report',
    },
  },
})

export const revokeStudyShareLink = operation({
  id: 'revokeStudyShareLink',
  method: 'POST',
  path: '/study-shares/{id}/revoke',
  tag: 'Simulate',
  family: 'Simulation studies and sharing',
  summary: 'Revoke a public link',
  description:
    'Revokes a share; the public slug stops resolving at once and is never given out again. The reviewed version may be named by If-Match, by payload.resourceVersion, or by both alike.',
  auth: session,
  permission: 'simulate',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
  body: StudyShareRevocation,
  response: record(StudyShareRecord),
  errors: ['LIQUIDITY_STUDY_SHARE_TERMINAL', 'LIQUIDITY_PRECONDITION_AMBIGUOUS'],
  example: { body: { reason: 'The report was withdrawn' } },
})

export const getSharedSimulationStudy = operation({
  id: 'getSharedSimulationStudy',
  method: 'GET',
  path: '/public/studies/{slug}',
  tag: 'Simulate',
  family: 'Proof, vaults, receipts and passports',
  summary: 'Read a shared study',
  description:
    'What a share discloses of one generation of a study; gone once the share is revoked or expired. An unknown, malformed, revoked or expired slug has the same answer. Search engines are told not to index it (X-Robots-Tag). Who would rather have text/html, as browsers say, gets the same members as a page that runs nothing.',
  auth: anyone,
  params: {
    // Any text: a malformed slug is told from an unknown one by nobody.
    slug: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'The slug of a share.',
      examples: ['launch-half-hour'],
    }),
  },
  success: [200],
  response: data(SharedSimulationStudy),
  cacheControl: 'public, max-age=60',
  errors: ['LIQUIDITY_PUBLIC_STUDY_UNAVAILABLE'],
})

export const studyShareFamily = declareFamily({
  room: 'simulate/study-shares',
  operations: [
    listStudyShares,
    getStudyShares,
    createStudyShareLink,
    revokeStudyShareLink,
    getSharedSimulationStudy,
  ],
  type: 'StudyShare',
  prefix: 'study_share',
  name: 'share',
  plural: 'study shares',
  payload: StudyShare,
  moves,
  refusals: { terminal: 'LIQUIDITY_STUDY_SHARE_TERMINAL' },
  events: ['study_share.created', 'study_share.revoked', 'study_share.expired'],
  title: 'payload.url',
  columns: ['payload.study', 'payload.expiresAt', 'status'],
  subject: 'payload.study.id',
})
