import { operation, paging, session } from '../operation.ts'

export const createDecisionPackFromTreasury = operation({
  id: 'createDecisionPackFromTreasury',
  method: 'POST',
  path: '/decision-packs/from-treasury',
  tag: 'Operate',
  family: 'Decision packs',
  summary: 'Create decision pack from treasury',
  description: 'Builds a pack from treasury evidence.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  success: [201],
})

export const createDecisionPackFromResearch = operation({
  id: 'createDecisionPackFromResearch',
  method: 'POST',
  path: '/decision-packs/from-research',
  tag: 'Operate',
  family: 'Decision packs',
  summary: 'Create decision pack from research',
  description: 'Builds a pack from a research run.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  success: [201],
})

export const listDecisionPacks = operation({
  id: 'listDecisionPacks',
  method: 'GET',
  path: '/decision-packs',
  tag: 'Operate',
  family: 'Decision packs',
  summary: 'List decision packs',
  description: 'Collection of decision packs.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const createDecisionPack = operation({
  id: 'createDecisionPack',
  method: 'POST',
  path: '/decision-packs',
  tag: 'Operate',
  family: 'Decision packs',
  summary: 'Create decision pack',
  description: 'Creates a pack directly.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  success: [201],
})

export const getDecisionPack = operation({
  id: 'getDecisionPack',
  method: 'GET',
  path: '/decision-packs/{packId}',
  tag: 'Operate',
  family: 'Decision packs',
  summary: 'Get decision pack',
  description: 'Current version of one pack; we send its ETag.',
  auth: session,
  permission: 'read',
  success: [200],
})

export const listDecisionPackVersions = operation({
  id: 'listDecisionPackVersions',
  method: 'GET',
  path: '/decision-packs/{packId}/versions',
  tag: 'Operate',
  family: 'Decision packs',
  summary: 'List decision pack versions',
  description: 'Versions of one pack.',
  auth: session,
  permission: 'read',
  paging: paging(50, 100),
  success: [200],
})

export const getDecisionPackVersion = operation({
  id: 'getDecisionPackVersion',
  method: 'GET',
  path: '/decision-packs/{packId}/versions/{sequence}',
  tag: 'Operate',
  family: 'Decision packs',
  summary: 'Get decision pack version',
  description: 'One version by its sequence number.',
  auth: session,
  permission: 'read',
  success: [200],
})

export const applyDecisionPackCommand = operation({
  id: 'applyDecisionPackCommand',
  method: 'POST',
  path: '/decision-packs/{packId}/commands',
  tag: 'Operate',
  family: 'Decision packs',
  summary: 'Apply decision pack command',
  description: 'Applies a typed lifecycle command.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  precondition: 'optional',
  success: [200],
})
