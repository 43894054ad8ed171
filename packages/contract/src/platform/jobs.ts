import Type from 'typebox'
import { jobStatuses, OperatingSystemJob } from '../envelope.ts'
import { declareFamily } from '../family.ts'
import { collection, data, operation, paging, session } from '../operation.ts'
import { oneOf } from '../scalars.ts'

export const listOperatingSystemJobs = operation({
  id: 'listOperatingSystemJobs',
  method: 'GET',
  path: '/jobs',
  tag: 'Platform',
  family: 'Platform, credentials and webhooks',
  summary: 'List jobs',
  description: 'Lists the background jobs of the organization with status, progress and errors.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
  response: collection(OperatingSystemJob),
  query: {
    status: Type.Optional(oneOf(jobStatuses, 'State filter.')),
    kind: Type.Optional(Type.String({ maxLength: 60, description: 'Kind filter.' })),
    subjectId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Subject filter: id of a record.',
      }),
    ),
  },
})

export const getOperatingSystemJob = operation({
  id: 'getOperatingSystemJob',
  isExtension: true,
  method: 'GET',
  path: '/jobs/{id}',
  tag: 'Platform',
  family: 'Platform, credentials and webhooks',
  summary: 'Get job',
  description: 'Status, progress, result and error of one background job.',
  auth: session,
  permission: 'read',
  cacheControl: 'private, no-store',
  success: [200],
  response: data(OperatingSystemJob),
})

export const jobFamily = declareFamily({
  module: 'platform/jobs',
  operations: [listOperatingSystemJobs, getOperatingSystemJob],
  ui: {
    page: 'settings/jobs',
    task: 'Jobs',
    icon: 'loader',
    summary: 'Background jobs with progress and errors.',
    empty: 'Jobs appear when the service indexes or computes.',
    title: 'kind',
    columns: ['kind', 'subject', 'status', 'progressPips', 'createdAt', 'finishedAt'],
    head: ['kind', 'progressPips', 'attempts'],
    docs: 'platform',
  },
})
