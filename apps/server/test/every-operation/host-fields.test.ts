// @module-tag long
// @covers packages/contract/src apps/server/src/families/platform/partners
// @covers apps/server/src/families/platform/providers

import { afterAll, beforeAll, it } from 'vitest'
import { type PartnerScene, startPartnerScene } from '../support/partnering.ts'
import { hostScenes } from './host-scenes.ts'
import { walkScene } from './recorded.ts'

/** Changes every member of the requests about the host of a partner; see `walkScene`. */
let world: PartnerScene
beforeAll(async () => {
  world = await startPartnerScene(250)
})
afterAll(() => world.stop())

it.each(Object.entries(hostScenes(() => world)))(
  '%s records or refuses every member',
  (id, scene) => walkScene(id, scene, { service: world.service }),
)
