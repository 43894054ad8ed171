import Type, { type Static } from 'typebox'
import { Ref, versioned } from '../envelope.ts'
import { declareFamily, recordQueryOf } from '../family.ts'
import { anyone, bytes, data, operation, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import { closed, EvidenceHashes, Hash, list, named, oneOf, Reason, Timestamp } from '../scalars.ts'
import { SharedSimulationStudy } from './shared-study.ts'
import { ReportFigure, ReportFormatName, ReportTable, StudyReport } from './study-reports.ts'

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

/** Any text: a malformed slug is told from an unknown one by nobody. */
const AnySlug = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'The slug of a share.',
  examples: ['launch-half-hour'],
})

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
  params: { slug: AnySlug },
  success: [200],
  response: data(SharedSimulationStudy),
  cacheControl: 'public, max-age=60',
  errors: ['LIQUIDITY_PUBLIC_STUDY_UNAVAILABLE'],
})

const signed = StudyReport.properties

export const SharedStudyReport = named(
  'SharedStudyReport',
  closed({
    schemaVersion: Type.Literal('shared-study-report-v1'),
    study: SharedSimulationStudy,
    headline: signed.headline,
    arms: signed.arms,
    tables: list(ReportTable, 32),
    figures: list(ReportFigure, 64),
    contentHash: signed.contentHash,
    renderings: signed.renderings,
    publicKey: signed.publicKey,
    keyId: signed.keyId,
    signature: signed.signature,
  }),
)
export type SharedStudyReport = Static<typeof SharedStudyReport>

const rendering = {
  isExtension: true,
  method: 'GET',
  tag: 'Simulate',
  family: 'Proof, vaults, receipts and passports',
  auth: anyone,
  cacheControl: 'public, max-age=60',
  success: [200],
  errors: ['LIQUIDITY_PUBLIC_STUDY_UNAVAILABLE'],
} as const

export const downloadSharedStudyReport = operation({
  ...rendering,
  id: 'downloadSharedStudyReport',
  path: '/public/studies/{slug}/reports/{format}',
  summary: 'Fetch a shared study as a report',
  description:
    'The report of what a share discloses and of nothing else: the signed body (json), or a rendering that it names by its hash. It is made of the redacted projection and has a hash of its own; the private report of the study is another document. html and pdf are shown, json and csv are saved. Gone once the share is revoked or expired.',
  params: { slug: AnySlug, format: ReportFormatName },
  response: bytes('application/json', 'text/html', 'application/pdf', 'text/csv'),
})

export const getSharedStudyPicture = operation({
  ...rendering,
  id: 'getSharedStudyPicture',
  path: '/public/studies/{slug}/pictures/{name}.svg',
  summary: 'Fetch a picture of a shared study',
  description:
    'One figure of the shared report as an SVG that runs nothing. Its name is the id of the figure in the json of the report.',
  params: {
    slug: AnySlug,
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{0,79}$', examples: ['net-vs-hold'] }),
  },
  response: bytes('image/svg+xml'),
})

export const readSharedStudySeries = operation({
  ...rendering,
  id: 'readSharedStudySeries',
  path: '/public/studies/{slug}/series/{name}',
  summary: 'Read a series of a shared study',
  description:
    'A series as the share discloses it: `prices`, or the net against holding of an arm under a flow model (`armId.flowModel`), in seconds since the first sample and in the unit of the share. The points are those of the shared study, thinned and rescaled as it says; there are no others.',
  params: {
    slug: AnySlug,
    name: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$',
      examples: ['hold.INELASTIC_INPUT'],
    }),
  },
  query: { as: Type.Optional(oneOf(['json', 'csv'], 'json unless said otherwise.')) },
  response: bytes('application/json', 'text/csv'),
})

export const studyShareFamily = declareFamily({
  room: 'simulate/study-shares',
  operations: [
    listStudyShares,
    getStudyShares,
    createStudyShareLink,
    revokeStudyShareLink,
    getSharedSimulationStudy,
    downloadSharedStudyReport,
    getSharedStudyPicture,
    readSharedStudySeries,
  ],
  type: 'StudyShare',
  prefix: 'study_share',
  name: 'share link',
  plural: 'share links',
  payload: StudyShare,
  moves,
  refusals: { terminal: 'LIQUIDITY_STUDY_SHARE_TERMINAL' },
  events: ['study_share.created', 'study_share.revoked', 'study_share.expired'],
  title: 'payload.url',
  columns: ['payload.study', 'payload.expiresAt', 'status'],
  subject: 'payload.study.id',
  ui: {
    group: 'Prove',
    task: 'Shared studies',
    icon: 'share-2',
    asks: 'Public links to studies, with expiry.',
    empty: 'Share a study from its page.',
    head: ['payload.expiresAt'],
    actions: {
      revokeStudyShareLink: { label: 'Revoke link', when: ['ACTIVE'] },
    },
    docs: 'studies',
  },
})
