import Type, { type Static } from 'typebox'
import { mutation, versioned } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { collection, operation, paging, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import {
  closed,
  Hash,
  Label,
  list,
  named,
  oneOf,
  orNull,
  Reason,
  RecordId,
  Timestamp,
} from '../scalars.ts'
import { PublicIdentifier, TokenKey } from './public-facts.ts'
import { PublicProjectAnalysis } from './public-project.ts'

const Version = Type.Integer({
  minimum: 1,
  maximum: 999_999_999,
  description: 'Number of an observation of the project, counted from 1.',
  examples: [1],
})
const Note = Type.String({ maxLength: 2000, description: 'Free text of the organization.' })

export const SavedProject = named(
  'SavedProject',
  closed({
    assetKey: TokenKey,
    label: Label,
    note: orNull(Note),
    latest: closed({
      version: Version,
      observedAt: Timestamp,
      analysisHash: Hash,
      state: oneOf(['COMPLETED', 'PARTIAL'], 'State of the observed analysis.'),
    }),
    bookmarkOnly: Type.Literal(true, {
      description:
        'Saving grants no issuer ownership, treasury access, entitlement or publication authority.',
    }),
  }),
)
export type SavedProject = Static<typeof SavedProject>
export const SavedProjectRecord = versioned('SavedProject', SavedProject)

export const ProjectChange = named(
  'ProjectChange',
  closed({
    pointer: Type.String({
      maxLength: 200,
      description:
        'The figure, as a JSON pointer with the address of a pool in place of its index.',
    }),
    kind: oneOf(
      ['ADDED', 'REMOVED', 'CHANGED', 'KNOWN', 'UNKNOWN'],
      'ADDED, REMOVED: a pool or a listing. CHANGED: present in both observations. KNOWN, UNKNOWN: unreadable in one observation; unread data is never reported as removed.',
    ),
    before: orNull(Type.String({ maxLength: 200 })),
    after: orNull(Type.String({ maxLength: 200 })),
    deltaPips: orNull(
      Type.String({
        pattern: '^(0|-?[1-9][0-9]{0,90})$',
        description:
          'Relative change of amounts: (after − before) · 10^6 / before, towards zero. Null for other values, and if before is 0.',
      }),
    ),
    material: Type.Boolean({
      description:
        'True for control, code, decimals and pools, and for amounts that moved by 10,000 pips or from zero.',
    }),
  }),
)
export type ProjectChange = Static<typeof ProjectChange>

/** Project data at one block; immutable. */
export const ProjectObservation = named(
  'ProjectObservation',
  closed({
    projectId: RecordId,
    version: Version,
    analysis: PublicProjectAnalysis,
    previousHash: orNull(
      Type.Intersect([Hash], {
        description: '`analysisHash` of the observation before; null of the first.',
      }),
    ),
    changes: list(ProjectChange, 256, {
      description: 'Against the observation before, by pointer; empty of the first.',
    }),
  }),
)
export type ProjectObservation = Static<typeof ProjectObservation>
export const ProjectObservationRecord = versioned('ProjectObservation', ProjectObservation)

export const SavePublicProject = named(
  'SavePublicProject',
  mutation(
    closed({
      identifier: PublicIdentifier,
      label: Label,
      note: Type.Optional(Note),
      analysisHash: Type.Optional(
        Type.Intersect([Hash], {
          description:
            'Hash of a resolvePublicProject response, at most ten minutes old, to save without a new read. Default: read the token now.',
        }),
      ),
    }),
  ),
)
export const RefreshSavedProject = named('RefreshSavedProject', closed({ reason: Reason }))

const heading = { tag: 'Intelligence', family: 'Projects and public discovery' } as const

const projects = {
  path: '/projects',
  ...heading,
  one: 'project',
  record: SavedProjectRecord,
} as const

export const listSavedProjects = listOperation(projects, {
  id: 'listSavedProjects',
  summary: 'List saved projects',
  description:
    'Saved-project bookmarks; every status has a JSON body. A bookmark grants no issuer ownership, treasury access, entitlement or publication authority.',
  paging: paging(20, 20, '^project_[0-9a-f]{32}$', 'ID'),
  statedErrors: [400, 401, 403, 404, 429, 503],
})

export const savePublicProject = operation({
  id: 'savePublicProject',
  method: 'POST',
  path: '/projects',
  ...heading,
  summary: 'Save public project',
  description:
    'Saves a public token as a bookmark of the organization. The first observation is read now or taken from a recent response. Each token can be saved once. Maximum: 200.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: SavePublicProject,
  response: record(SavedProjectRecord),
  errors: [
    'LIQUIDITY_PROJECT_IDENTIFIER_INVALID',
    'LIQUIDITY_PROJECT_DUPLICATE',
    'LIQUIDITY_PROJECT_LIMIT',
    'LIQUIDITY_PROJECT_SOURCES_UNAVAILABLE',
    'LIQUIDITY_PRECONDITION_FAILED',
  ],
  example: {
    body: {
      payload: {
        identifier: { chainId: 31337, address: '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72' },
        label: 'ENS',
        note: 'Launch of November 2021',
      },
      reason: 'To follow its pools',
    },
  },
})

export const getSavedProject = getOperation(projects, {
  id: 'getSavedProject',
  summary: 'Get saved project',
  description: 'Returns a followed project.',
  parameter: 'projectId',
  statedErrors: [],
})

export const refreshSavedProject = operation({
  id: 'refreshSavedProject',
  method: 'POST',
  path: '/projects/{projectId}/refresh',
  ...heading,
  summary: 'Refresh saved project',
  description:
    'Reads the token again and appends a new immutable observation with the changes since the previous one. If no data can be read, it appends no observation. Limit: once per minute.',
  auth: session,
  permission: 'prepare',
  idempotency: 'key-160',
  success: [201],
  body: RefreshSavedProject,
  response: record(ProjectObservationRecord),
  errors: ['LIQUIDITY_PROJECT_IDENTIFIER_INVALID', 'LIQUIDITY_PROJECT_SOURCES_UNAVAILABLE'],
  example: { body: { reason: 'After the swap' } },
})

export const listSavedProjectObservations = operation({
  id: 'listSavedProjectObservations',
  method: 'GET',
  path: '/projects/{projectId}/observations',
  ...heading,
  summary: 'List saved project observations',
  description: 'Observations of a saved project, newest first.',
  auth: session,
  permission: 'read',
  paging: paging(20, 20, null, 'SEQUENCE'),
  success: [200],
  response: collection(ProjectObservationRecord),
})

export const getSavedProjectObservation = operation({
  id: 'getSavedProjectObservation',
  method: 'GET',
  path: '/projects/{projectId}/observations/{version}',
  ...heading,
  summary: 'Get saved project observation',
  description: 'Returns one observation of a followed project by its number.',
  auth: session,
  permission: 'read',
  params: { version: Version },
  success: [200],
  response: record(ProjectObservationRecord),
})

export const projectFamily = declareFamily({
  module: 'intelligence/projects',
  operations: [listSavedProjects, savePublicProject, getSavedProject, refreshSavedProject],
  type: 'SavedProject',
  prefix: 'project',
  name: 'project',
  plural: 'projects',
  payload: SavedProject,
  moves: { ACTIVE: ['ACTIVE'] },
  refusals: { taken: 'LIQUIDITY_PROJECT_DUPLICATE' },
  events: ['project.saved', 'project.observed'],
  title: 'payload.label',
  columns: [
    'payload.label',
    'payload.assetKey',
    'payload.latest.observedAt',
    'payload.latest.state',
  ],
  ui: {
    page: 'research/projects',
    task: 'Projects',
    icon: 'bookmark',
    summary: 'Tokens that you follow, and their changes.',
    empty: 'Follow a token to see its pools, holders and control.',
    head: ['payload.latest.version', 'payload.latest.observedAt', 'payload.latest.state'],
    actions: {
      savePublicProject: { label: 'Follow token' },
      refreshSavedProject: { label: 'Refresh project', when: ['ACTIVE'] },
    },
    docs: 'discovery',
  },
})

export const projectObservationFamily = declareFamily({
  module: 'intelligence/projects',
  operations: [listSavedProjectObservations, getSavedProjectObservation],
  type: 'ProjectObservation',
  prefix: 'project_observation',
  name: 'project observation',
  plural: 'project observations',
  payload: ProjectObservation,
  moves: { COMPLETED: [], PARTIAL: [] },
  events: ['project_observation.recorded'],
  title: null,
  columns: ['payload.projectId', 'payload.version', 'status', 'createdAt'],
  subject: 'payload.projectId',
})
