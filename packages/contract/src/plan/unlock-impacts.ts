import { operation, session, undesigned } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'

const heading = { tag: 'Plan', family: 'Issuer intents, launches and unlocks' } as const

const unlockImpacts = {
  path: '/unlock-impacts',
  ...heading,
  one: 'unlock impact',
  many: 'unlock impacts',
  record: undesigned,
} as const

export const listUnlockImpacts = listOperation(unlockImpacts, {
  id: 'listUnlockImpacts',
  summary: 'List unlock impacts',
})

export const createUnlockImpacts = operation({
  id: 'createUnlockImpacts',
  method: 'POST',
  path: '/unlock-impacts',
  ...heading,
  summary: 'Create unlock impacts',
  description:
    'Creates a unlock impact record from the common body {payload, status?, evidenceHashes?, reason}.',
  auth: session,
  permission: 'treasury.write',
  idempotency: 'key-160',
  success: [201],
  body: undesigned,
  response: undesigned,
})

export const getUnlockImpacts = getOperation(unlockImpacts, {
  id: 'getUnlockImpacts',
  summary: 'Get unlock impacts',
})
