import Type, { type Static } from 'typebox'
import { Ref, versioned } from '../envelope.ts'
import { declareFamily, recordQueryOf } from '../family.ts'
import { anyone, bytes, data, operation, record, session } from '../operation.ts'
import { AnySlug, slugPattern } from '../public-slug.ts'
import { getOperation, listOperation } from '../reading.ts'
import { closed, EvidenceHashes, Hash, list, named, oneOf, Reason, Timestamp } from '../scalars.ts'
import { SharedSimulationStudy } from './shared-study.ts'
import { ReportFigure, ReportTable, StudyReport } from './study-reports.ts'

const Slug = named(
  'StudySlug',
  Type.String({
    pattern: slugPattern,
    description:
      'Last part of the public address, 8 to 64 characters; one of its kind in the deployment and never given out again. A chosen one is public by intent and can be guessed.',
    examples: ['launch-half-hour'],
  }),
)

const SharedFormatName = oneOf(
  ['json', 'html', 'pdf', 'csv'],
  'Report format: json is the signed body; the others render the same content.',
)

const SharedReportRendering = named(
  'SharedReportRendering',
  closed({
    format: oneOf(['html', 'pdf', 'csv'], 'Report format.'),
    mediaType: Type.String(),
    byteLength: Type.Integer({ minimum: 0 }),
    hash: Hash,
  }),
)

export const StudyDisclosure = named(
  'StudyDisclosure',
  closed(
    {
      showOrganization: Type.Boolean({ description: 'True to show the name of the organization.' }),
      showAmounts: Type.Boolean({
        description:
          'True to show amounts in atoms. Otherwise every amount is rescaled to a capital of 1,000,000, and market amounts are omitted because they would reveal the scale.',
      }),
      showVenueAddress: Type.Boolean({
        description:
          'True to show name and address of the venue, chain, tokens and blocks of the window.',
      }),
      showStrategyParameters: Type.Boolean({
        description: 'True to show positions, strategies and actions of the arms.',
      }),
      showAssumptions: Type.Boolean({ description: 'True to show the assumptions of the study.' }),
    },
    { description: 'Additional data that readers of the link can see with the result.' },
  ),
)
export type StudyDisclosure = Static<typeof StudyDisclosure>

export const StudyShare = named(
  'StudyShare',
  closed({
    study: Ref,
    slug: Slug,
    url: Type.String({ format: 'uri', description: 'Public URL.' }),
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
  note: 'After expiresAt the link is closed; the record becomes EXPIRED within the hour.',
})

export const createStudyShareLink = operation({
  id: 'createStudyShareLink',
  method: 'POST',
  path: '/studies/{id}/share-links',
  tag: 'Simulate',
  family: 'Simulation studies and sharing',
  summary: 'Share a study by a public link',
  description:
    'Creates a StudyShare for one study; /public/studies/{slug} serves it. It pins one version of the study permanently: the version in payload.resourceVersion, or the current one. If-Match, if given, must name the current version. Default slug: random, 130 bits. Default expiresAt: 30 days; maximum: 365.',
  auth: session,
  permission: 'simulate',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
  body: StudyShareRequest,
  response: record(StudyShareRecord),
  errors: [
    'LIQUIDITY_STUDY_NOT_TERMINAL',
    'LIQUIDITY_STUDY_GENERATION_MISMATCH',
    'LIQUIDITY_PRECONDITION_AMBIGUOUS',
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
      reason: 'For readers of the launch report',
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
    'Revokes a share; the public slug stops resolving at once and is never reused. If-Match or payload.resourceVersion must name the reviewed version; if both are given, they must be equal.',
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
    'Disclosed part of one version of a study, until the share is revoked or expires. An unknown, malformed, revoked or expired slug returns the same response. X-Robots-Tag disables search indexing. Clients that prefer text/html, such as browsers, get the same fields as a page without scripts.',
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
    renderings: list(SharedReportRendering, 3),
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
    'Report of only the disclosed data of a share: the signed body (json), or a rendering that names the body by its hash. It uses the redacted projection and has a separate hash; the private report of the study is another document. html and pdf display inline, json and csv download. Gone after the share is revoked or expires.',
  params: { slug: AnySlug, format: SharedFormatName },
  response: bytes('application/json', 'text/html', 'application/pdf', 'text/csv'),
})

export const getSharedStudyPicture = operation({
  ...rendering,
  id: 'getSharedStudyPicture',
  path: '/public/studies/{slug}/pictures/{name}.svg',
  summary: 'Fetch a chart of a shared study',
  description:
    'One chart of the shared report as an SVG without scripts. Its name is the id of the figure in the json of the report.',
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
    'A disclosed series of the share: `prices`, or the result vs initial capital of an arm under a flow model (`armId.flowModel`), in seconds since the first sample and in the unit of the share. The points are the points of the shared study, thinned and rescaled as the share specifies.',
  params: {
    slug: AnySlug,
    name: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$',
      examples: ['hold.INELASTIC_INPUT'],
    }),
  },
  query: { as: Type.Optional(oneOf(['json', 'csv'], 'Response format. Default: json.')) },
  response: bytes('application/json', 'text/csv'),
})

export const studyShareFamily = declareFamily({
  module: 'simulate/study-shares',
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
    page: 'studies/shared',
    task: 'Shared studies',
    icon: 'share-2',
    summary: 'Public links to studies, with expiry.',
    empty: 'Share a study from its page.',
    head: ['payload.expiresAt'],
    actions: {
      revokeStudyShareLink: { label: 'Revoke link', when: ['ACTIVE'] },
    },
    docs: 'studies',
  },
})
