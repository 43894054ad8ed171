import Type from 'typebox'
import { versioned } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { none, operation, paging, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import { Address, ChainId, closed, Label, named, orNull, Reason } from '../scalars.ts'

const Note = Type.String({
  maxLength: 2000,
  description: 'Free text for the owner of the bookmark.',
})

/** A personal bookmark: it grants no ownership, access, entitlement or authority. */
export const PlatformProject = named(
  'PlatformProject',
  closed({
    chainId: ChainId,
    address: Address,
    label: Label,
    note: orNull(Note),
    ownerId: Type.String({ description: 'Owner of the bookmark.' }),
  }),
)
export const PlatformProjectRecord = versioned('PlatformProject', PlatformProject)

export const PlatformProjectCreate = named(
  'PlatformProjectCreate',
  closed({
    payload: closed({
      chainId: ChainId,
      address: Address,
      label: Label,
      note: Type.Optional(Note),
    }),
    reason: Type.Optional(Reason),
  }),
)

const heading = { tag: 'Intelligence', family: 'Platform, credentials and webhooks' } as const

const platformProjects = {
  path: '/platform-projects',
  ...heading,
  one: 'platform project',
  record: PlatformProjectRecord,
} as const

export const listSavedPlatformProjects = listOperation(platformProjects, {
  id: 'listSavedPlatformProjects',
  summary: 'List your saved projects',
  description: 'Lists the bookmarks of the signed-in user.',
  paging: paging(20, 20),
})

export const savePlatformProject = operation({
  id: 'savePlatformProject',
  method: 'POST',
  path: '/platform-projects',
  ...heading,
  summary: 'Save a project as a personal bookmark',
  description: 'Saves a token as a personal bookmark. A bookmark grants no rights.',
  auth: session,
  permission: 'read',
  idempotency: 'key-160',
  success: [201],
  body: PlatformProjectCreate,
  response: record(PlatformProjectRecord),
  errors: ['LIQUIDITY_BOOKMARK_DUPLICATE'],
  example: {
    body: {
      payload: {
        chainId: 1,
        address: '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72',
        label: 'ENS',
        note: 'Launch of November 2021',
      },
    },
  },
})

export const getSavedPlatformProject = getOperation(platformProjects, {
  id: 'getSavedPlatformProject',
  summary: 'Read one of your saved projects',
  description: 'Returns one bookmark of the signed-in user.',
  statedErrors: [],
})

export const removeSavedPlatformProject = operation({
  id: 'removeSavedPlatformProject',
  method: 'DELETE',
  path: '/platform-projects/{id}',
  ...heading,
  summary: 'Remove one of your saved projects',
  description:
    'Removes the bookmark from lists and reads. Its history remains: the removal is a new version of the record.',
  auth: session,
  permission: 'read',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [204],
  response: none,
})

export const platformProjectFamily = declareFamily({
  module: 'intelligence/platform-projects',
  operations: [
    listSavedPlatformProjects,
    savePlatformProject,
    getSavedPlatformProject,
    removeSavedPlatformProject,
  ],
  type: 'PlatformProject',
  prefix: 'platform_project',
  name: 'bookmark',
  plural: 'bookmarks',
  payload: PlatformProject,
  moves: { ACTIVE: ['RETIRED'], RETIRED: [] },
  refusals: { taken: 'LIQUIDITY_BOOKMARK_DUPLICATE' },
  events: ['platform_project.saved', 'platform_project.removed'],
  title: 'payload.label',
  columns: ['payload.chainId', 'payload.address', 'createdAt'],
  ui: {
    page: 'research/projects',
    task: 'Bookmarks',
    icon: 'bookmark',
    summary: 'Tokens saved for quick access.',
    empty: 'Bookmark a token to find it again.',
    actions: {
      savePlatformProject: { label: 'Bookmark token' },
      removeSavedPlatformProject: { label: 'Remove bookmark', when: ['ACTIVE'] },
    },
    docs: 'platform',
  },
})
