import Type, { type Static } from 'typebox'
import { Block, Evidence, Gap, OperatingSystemJob, Ref, SimulatedMarket } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { csvMediaType, xlsxMediaType } from '../files.ts'
import { Pair, venueKinds } from '../intelligence/venues.ts'
import { bytes, collection, data, operation, paging, scoped } from '../operation.ts'
import {
  Address,
  AtomicAmount,
  closed,
  EvidenceHashes,
  Hash,
  Label,
  list,
  named,
  oneOf,
  orNull,
  Reason,
  Timestamp,
} from '../scalars.ts'
import { StudyResult } from './study-results.ts'
import { ArmId, StudySpec } from './study-spec.ts'

export const reportFormats = ['json', 'html', 'pdf', 'csv', 'xlsx'] as const
export type ReportFormat = (typeof reportFormats)[number]

export const ReportFormatName = oneOf(
  reportFormats,
  'Report format: json is the signed body; the others render the same content.',
)
const RenderingFormat = oneOf(['html', 'pdf', 'csv', 'xlsx'], 'Report format.')

/** Units of numeric columns; TEXT and FLAG are not numeric. */
export const reportUnits = [
  'TEXT',
  'FLAG',
  'COUNT',
  'SECONDS',
  'BLOCK',
  'TICK',
  'PIPS',
  'QUOTE_ATOMS',
  'BASE_ATOMS',
  'PRICE_X18',
  'PRICE_X36',
  'LIQUIDITY',
] as const
export type ReportUnit = (typeof reportUnits)[number]

const columns = list(
  closed({
    name: Type.String({ minLength: 1, maxLength: 60 }),
    unit: oneOf(reportUnits, 'SECONDS count from the first sample; amounts are decimal strings.'),
  }),
  64,
)
const rows = list(
  list(
    Type.Union([Type.String({ maxLength: 500 }), Type.Integer(), Type.Boolean(), Type.Null()]),
    64,
  ),
  20_000,
)
const Name = Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{0,79}$' })

export const ReportTable = named('ReportTable', closed({ id: Name, title: Label, columns, rows }))

export const ReportFigure = named(
  'ReportFigure',
  closed({
    id: Name,
    kind: oneOf(
      [
        'WATERFALLS',
        'NET_VS_HOLD',
        'DEPTH_OVER_TIME',
        'SLIPPAGE_BY_SIZE',
        'LIQUIDITY_MAP',
        'FEES_AND_LVR',
        'FIRST_PASSAGE',
        'PAIRED_DIFFERENCES',
        'VOLATILITY_SIGNATURE',
      ],
      'Chart title.',
    ),
    title: Label,
    description: Type.String({ maxLength: 1000, description: 'Text alternative of the chart.' }),
    columns,
    rows,
    dataHash: Hash,
  }),
)

export const ReportRendering = named(
  'ReportRendering',
  closed({
    format: RenderingFormat,
    mediaType: Type.String(),
    byteLength: Type.Integer({ minimum: 0 }),
    hash: Hash,
  }),
)

export const StudyReport = named(
  'StudyReport',
  closed({
    schemaVersion: Type.Literal('study-report-v1'),
    study: Ref,
    name: StudySpec.properties.name,
    kind: StudySpec.properties.kind,
    state: StudyResult.properties.state,
    reasons: StudyResult.properties.reasons,
    assessesMarketHealth: Type.Boolean({ description: 'True for COMPLETED only.' }),
    // Optional: absent for evidence on a main network, and in reports signed before this member
    // existed.
    simulated: Type.Optional(SimulatedMarket),
    computedAt: Timestamp,
    headline: Type.String({ maxLength: 500, description: 'Follows from the verdicts.' }),
    // Optional: absent in reports signed before these members existed.
    startValueQuote: Type.Optional(AtomicAmount),
    windowSeconds: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Length of the study, in seconds.' }),
    ),
    findings: list(Type.String({ maxLength: 500 }), 32),
    pair: Pair,
    venue: orNull(
      closed(
        {
          name: Label,
          kind: oneOf(venueKinds, 'The market mathematics of the venue.'),
          address: Address,
        },
        { description: 'Null for a market that the study brought along.' },
      ),
    ),
    arms: list(closed({ armId: ArmId, label: Label }), 16, {
      description: 'In the order of the pictures.',
    }),
    tables: list(ReportTable, 32),
    figures: list(ReportFigure, 64),
    assumptions: Evidence.properties.assumptions,
    gaps: list(Gap, 128, { description: 'Gaps of the study or of this report.' }),
    reproduction: closed({
      spec: StudySpec,
      specHash: Hash,
      resultHash: Hash,
      inputs: Evidence.properties.inputs,
      blocks: list(Block, 256),
      series: StudyResult.properties.seriesArtifacts,
      engineVersion: Type.String(),
      engineBuildHash: Hash,
      seed: orNull(Hash),
    }),
    contentHash: Hash,
    renderings: list(ReportRendering, 4),
    publicKey: Type.String({
      pattern: '^[A-Za-z0-9+/]{43}=$',
      description: 'Ed25519 key of the deployment, base64. Compare it with the published key.',
    }),
    keyId: Type.String({ pattern: '^[0-9a-f]{16}$' }),
    signature: Type.String({ pattern: '^[A-Za-z0-9+/]{86}==$', description: 'Ed25519, base64.' }),
  }),
)
export type StudyReport = Static<typeof StudyReport>

/** Result of a report job; the report bytes are artifacts. */
export const StudyReportJobResult = named(
  'StudyReportJobResult',
  closed({
    state: StudyResult.properties.state,
    contentHash: Hash,
    keyId: StudyReport.properties.keyId,
    publicKey: StudyReport.properties.publicKey,
    artifacts: list(
      closed({
        format: ReportFormatName,
        mediaType: Type.String(),
        byteLength: Type.Integer({ minimum: 0 }),
        hash: Hash,
      }),
      5,
      { description: 'Hash of the bytes of each, under which it is stored.' },
    ),
  }),
)
export type StudyReportJobResult = Static<typeof StudyReportJobResult>

export const StudyReportRequest = named(
  'StudyReportRequest',
  closed({
    payload: closed({
      resourceVersion: Type.Optional(Hash),
      formats: Type.Optional(
        list(ReportFormatName, 5, {
          minItems: 1,
          uniqueItems: true,
          description: 'Report formats. Default: all; json is always created.',
        }),
      ),
      brandPartnerId: Type.Optional(
        Type.String({ minLength: 3, maxLength: 160, description: 'Partner brand on the report.' }),
      ),
    }),
    evidenceHashes: Type.Optional(EvidenceHashes),
    reason: Reason,
  }),
)

const heading = { tag: 'Simulate', family: 'Simulation studies and sharing' } as const

export const createSignedStudyReport = operation({
  id: 'createSignedStudyReport',
  method: 'POST',
  path: '/studies/{id}/reports',
  ...heading,
  summary: 'Create signed study report',
  description:
    'Requests a signed report of a study; a report job (OperatingSystemJob) creates it, and its result names the artifacts. Report states: COMPLETED, PARTIAL, ABSTAINED (the last two do not assess market health). The report covers the version in payload.resourceVersion, or the current one. If-Match, if given, must name the current version. The same study and formats give the same bytes and the same signature.',
  auth: scoped('studies:write'),
  permission: 'simulate',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [201],
  body: StudyReportRequest,
  response: data(OperatingSystemJob),
  errors: [
    'LIQUIDITY_STUDY_NOT_TERMINAL',
    'LIQUIDITY_STUDY_FAILED',
    'LIQUIDITY_STUDY_GENERATION_MISMATCH',
    'LIQUIDITY_PRECONDITION_AMBIGUOUS',
    'LIQUIDITY_STUDY_REPORT_BRAND_UNKNOWN',
  ],
  example: {
    body: {
      payload: { formats: ['json', 'html', 'pdf', 'csv', 'xlsx'] },
      reason: 'For the treasury committee meeting',
    },
  },
})

export const listStudyReportJobs = operation({
  id: 'listStudyReportJobs',
  method: 'GET',
  path: '/studies/{id}/report-jobs',
  ...heading,
  summary: 'List study report jobs',
  description: 'Report jobs (OperatingSystemJob) of one study, newest first.',
  auth: scoped('studies:read'),
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
  statedErrors: [404],
  response: collection(OperatingSystemJob),
})

export const downloadStudyReport = operation({
  id: 'downloadStudyReport',
  isExtension: true,
  method: 'GET',
  path: '/studies/{id}/reports/{contentHash}/{format}',
  ...heading,
  summary: 'Fetch a report of a study in one of its formats',
  description:
    'Signed report body (json) or a rendering. The content hash is the hash of the report, as its job, event and body name it; a report in progress returns 404 with Retry-After. html and pdf display inline; json, csv and xlsx download.',
  auth: scoped('studies:read'),
  permission: 'read',
  params: { contentHash: Hash, format: ReportFormatName },
  cacheControl: 'private, no-cache',
  success: [200],
  response: bytes('application/json', 'text/html', 'application/pdf', csvMediaType, xlsxMediaType),
})

export const readStudySeries = operation({
  id: 'readStudySeries',
  isExtension: true,
  method: 'GET',
  path: '/studies/{id}/series/{name}',
  ...heading,
  summary: 'Read a series of a study',
  description:
    'Samples of one arm under one flow model, as seriesArtifacts of the result names them, for a part of the time, thinned to the maximum number of points (largest triangle three buckets, by netVsHold); remaining points are exact. Actions (.actions) and liquidity layouts (.layouts) of an arm are truncated, not thinned. The full series is an artifact.',
  auth: scoped('studies:read'),
  permission: 'read',
  params: {
    name: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$',
      examples: ['hold.INELASTIC_INPUT'],
    }),
  },
  query: {
    from: Type.Optional(Timestamp),
    to: Type.Optional(Timestamp),
    points: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: 500,
        description: 'Maximum number of points. Default: 500.',
      }),
    ),
    as: Type.Optional(oneOf(['json', 'csv'], 'Response format. Default: json.')),
  },
  cacheControl: 'private, no-cache',
  success: [200],
  response: bytes('application/json', 'text/csv'),
})

export const studyReportFamily = declareFamily({
  module: 'simulate/study-reports',
  operations: [createSignedStudyReport, listStudyReportJobs, downloadStudyReport, readStudySeries],
})
