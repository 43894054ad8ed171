// @module-tag long
// @covers packages/contract/src apps/server/src/families/operate/migration-plans

import { afterAll, beforeAll, it } from 'vitest'
import { type Desk, startDesk, stopDesk } from '../support/migrating.ts'
import { migrationActs } from './migration-acts.ts'
import { walkAct } from './scene-state.ts'

/** Changes every member of the requests about the migration of a position; see `walkAct`. */
let desk: Desk
beforeAll(async () => {
  desk = await startDesk()
})
afterAll(() => stopDesk(desk))

it.each(Object.entries(migrationActs))('%s acts on every member', (id, act) =>
  walkAct(id, act, desk),
)
