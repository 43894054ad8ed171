import { operation, session, undesigned } from '../operation.ts'
import { getOperation, listOperation, versionOperation, versionsOperation } from '../reading.ts'

const heading = { tag: 'Operate', family: 'Decision packs' } as const

const decisionPacks = {
  path: '/decision-packs',
  ...heading,
  one: 'pack',
  record: undesigned,
} as const

export const createDecisionPackFromTreasury = operation({
  id: 'createDecisionPackFromTreasury',
  method: 'POST',
  path: '/decision-packs/from-treasury',
  ...heading,
  summary: 'Create decision pack from treasury',
  description: 'Builds a pack from treasury evidence.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const createDecisionPackFromResearch = operation({
  id: 'createDecisionPackFromResearch',
  method: 'POST',
  path: '/decision-packs/from-research',
  ...heading,
  summary: 'Create decision pack from research',
  description: 'Builds a pack from a research run.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const listDecisionPacks = listOperation(decisionPacks, {
  id: 'listDecisionPacks',
  summary: 'List decision packs',
  description: 'Collection of decision packs.',
})

export const createDecisionPack = operation({
  id: 'createDecisionPack',
  method: 'POST',
  path: '/decision-packs',
  ...heading,
  summary: 'Create decision pack',
  description: 'Creates a pack directly.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const getDecisionPack = getOperation(decisionPacks, {
  id: 'getDecisionPack',
  summary: 'Get decision pack',
  description: 'Current version of one pack; we send its ETag.',
  parameter: 'packId',
  statedErrors: [],
})

export const listDecisionPackVersions = versionsOperation(decisionPacks, {
  id: 'listDecisionPackVersions',
  summary: 'List decision pack versions',
  parameter: 'packId',
})

export const getDecisionPackVersion = versionOperation(decisionPacks, {
  id: 'getDecisionPackVersion',
  summary: 'Get decision pack version',
  description: 'One version by its sequence number.',
  parameter: 'packId',
})

export const applyDecisionPackCommand = operation({
  id: 'applyDecisionPackCommand',
  method: 'POST',
  path: '/decision-packs/{packId}/commands',
  ...heading,
  summary: 'Apply decision pack command',
  description: 'Applies a typed lifecycle command.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
  body: undesigned,
  response: undesigned,
})
