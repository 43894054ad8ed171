// @module-tag long

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guarded } from '../../apps/server/test/every-operation/requests.ts'
import { type Stage, Tally } from './attack.ts'
import { breachesOf, print } from './print.ts'
import { attacks, canTry, ownStage, tryAll } from './run.ts'
import { refusedEverywhere } from './tenants.ts'

let stage: Stage
let stop: () => Promise<void>
beforeAll(async () => {
  const started = await ownStage(false)
  stage = started.stage
  stop = started.stop
})
afterAll(() => stop())

// What a neighbour feels is measured by the command: here it would measure the machine.
const judged = attacks.filter(({ area }) => area !== 'neighbours')

it.each(judged.map((attack) => [attack.area, attack.name, attack] as const))(
  '%s: %s comes to nothing',
  async (_area, _name, attack) => {
    const [outcome] = await tryAll([attack], stage)
    expect(outcome?.tally?.breaches).toEqual([])
    expect(outcome?.tally?.tries).toBeGreaterThan(0)
  },
)

describe('what comes through', () => {
  it('is a breach', async () => {
    const tally = new Tally()
    const { options } = stage.members!.victim
    const some = guarded.slice(0, 5)
    await refusedEverywhere(options, { status: 401, code: 'NEVER' }, tally, some)
    expect(tally.breaches).toHaveLength(tally.tries)
    const outcomes = [{ attack: judged[0]!, tally }]
    expect(print(outcomes)).toContain('BREACH')
    expect(breachesOf(outcomes)).toBe(some.length)
  })
})

it('a foreign service is attacked with the known data, and the rest is listed', async () => {
  const strange = { ...stage, members: null, own: null }
  const untried = attacks.filter((attack) => !canTry(attack, strange))
  expect(untried.map(({ needs }) => needs)).not.toContain('ADDRESS')
  const text = print(await tryAll(untried, strange))
  expect(text.match(/not tried: needs/g)).toHaveLength(untried.length)
})
