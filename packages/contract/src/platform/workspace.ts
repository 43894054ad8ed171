import Type from 'typebox'
import { Actor } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { permissions, roles } from '../identity.ts'
import { data, operation, session } from '../operation.ts'
import { closed, list, mapOf, named, oneOf } from '../scalars.ts'
import { standing } from './schedules.ts'

export const ChecklistItem = named(
  'ChecklistItem',
  closed({
    code: Type.String({ examples: ['REGISTER_CHAIN_PROVIDER'] }),
    done: Type.Boolean(),
    title: Type.String(),
    why: Type.String({ description: 'Benefit of the step.' }),
    operationId: Type.String({ description: 'Operation that completes the step.' }),
  }),
)

export const ScheduleLine = named(
  'ScheduleLine',
  closed({
    task: Type.String({ description: 'Kind of the jobs.', examples: ['VENUE_INDEX'] }),
    subject: closed({ resourceType: Type.String(), id: Type.String() }),
    ...standing,
  }),
)

export const Workspace = named(
  'Workspace',
  closed({
    organization: closed({ id: Type.String(), name: Type.String(), createdAt: Type.String() }),
    actor: Actor,
    role: oneOf(roles, 'Role of the actor in this organization.'),
    permissions: list(oneOf(permissions, 'Permissions of the role.'), 16),
    counts: mapOf(Type.Integer({ minimum: 0 }), 'Number of records by resource type.'),
    providers: list(
      closed({
        providerId: Type.String(),
        kind: Type.String(),
        status: Type.String(),
        probedAt: Type.Union([Type.String(), Type.Null()]),
      }),
      100,
    ),
    openJobs: Type.Integer({ minimum: 0 }),
    schedules: list(ScheduleLine, 100),
    checklist: list(ChecklistItem, 32),
  }),
)

export const getOperatingSystemWorkspace = operation({
  id: 'getOperatingSystemWorkspace',
  method: 'GET',
  path: '/workspace',
  tag: 'Platform',
  family: 'Platform, credentials and webhooks',
  summary: 'Read the workspace of the organization',
  description: 'The workspace of the current organization and the member role.',
  auth: session,
  permission: 'read',
  success: [200],
  response: data(Workspace),
})

export const workspaceFamily = declareFamily({
  module: 'platform/workspace',
  operations: [getOperatingSystemWorkspace],
})
