// @module-tag long
// @covers packages/contract/src apps/server/src/families/intelligence/discovery
// @covers apps/server/src/families/intelligence/projects apps/server/src/families/prove/project-control

import { afterAll, beforeAll, it } from 'vitest'
import { newOrganization, startTestService } from '../support/service.ts'
import type { Standing } from './standing.ts'
import { tokenForms } from './token-forms.ts'
import { walkMembers } from './walk-members.ts'

/** Changes every member of a form: the token is another, or the refusal is of the member. */
let world: Standing
beforeAll(async () => {
  const service = await startTestService()
  world = { service, owner: await newOrganization(service) }
})
afterAll(() => world.service.stop())

it.each(Object.entries(tokenForms))('%s acts on every member', async (id, bodies) =>
  walkMembers(id, await bodies(world)),
)
