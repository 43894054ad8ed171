import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { studyCommand } from '../study/command.ts'
import { datasets, type Report, run, workFolder } from './testing/recordings.ts'

const { path: work, save, remove } = workFolder()
afterAll(remove)

const day = join(datasets, 'v3-wbtc-weth-2023-04')
const events = join(day, 'events.csv')
interface Tick {
  tick: number
  liquidityNet: string
}
interface Document {
  data: { ticks: Tick[]; positions: { tickLower: number }[]; tickWindow?: object }
}
const whole = () => JSON.parse(readFileSync(join(day, 'state_before.json'), 'utf8')) as Document

/** The state before the day without these ticks, and without positions, which would tell of them. */
function stateWithout(name: string, ...ticks: number[]): string {
  const document = whole()
  document.data.ticks = document.data.ticks.filter(({ tick }) => !ticks.includes(tick))
  document.data.positions = []
  return save(name, JSON.stringify(document))
}

describe('a start state from which ticks were taken', () => {
  it('is rejected by replay and study if its sums differ', async () => {
    const document = whole()
    // As if it were all of the pool: what begins below the window is missing then.
    delete document.data.tickWindow
    document.data.positions = []
    const state = save('no-window.json', JSON.stringify(document))
    const replayed = await run(['--json', '--events', events, '--state', state])
    expect([replayed.status, replayed.stdout]).toEqual([
      2,
      expect.stringContaining('LIQUIDITY_NOT_SUM_OF_TICKS'),
    ])
    const spec = fileURLToPath(new URL('../../../../../docs/examples/launch.json', import.meta.url))
    const written: string[] = []
    const args = ['--events', events, '--state', state, '--spec', spec, '--json']
    const stderr = { write: (text: string) => void written.push(text) }
    expect(await studyCommand({ args, stdout: { write() {} }, stderr })).toBe(2)
    expect(written.join('')).toContain('LIQUIDITY_NOT_SUM_OF_TICKS')
  })

  it('is rejected if a listed position uses a missing tick', async () => {
    const document = whole()
    const gone = 255_900
    document.data.ticks = document.data.ticks.filter(({ tick }) => tick !== gone)
    const state = save('position.json', JSON.stringify(document))
    const { status, stdout } = await run(['--json', '--events', events, '--state', state])
    expect(status).toBe(2)
    expect(stdout).toContain(`POSITION_WITHOUT_TICK: positions hold`)
    expect(stdout).toContain(`at tick ${gone}, which has gross 0`)
  })

  it('is not exact if only a burn reveals the difference', async () => {
    // A position above the price that was taken out on that day: its ticks are crossed by no swap.
    const state = stateWithout('burned.json', 264_900, 264_780)
    const { status, stdout } = await run(['--json', '--events', events, '--state', state])
    expect(status).toBe(1)
    const [recording] = (JSON.parse(stdout) as Report).recordings
    expect(recording!.kinds.burns!.different).toBeGreaterThan(0)
    expect(recording!.firstDifference!.fields[0]).toEqual({
      field: 'ticks[264900].liquidityGross',
      recorded: 'at least 271757508234477',
      computed: '0',
    })
  })

  it('answers no quote', async () => {
    const name = 'onchain-quotes/uniswap_v3_wbtc_weth_24407242.json'
    const document = JSON.parse(readFileSync(join(datasets, name), 'utf8')) as {
      state: { ticks: Tick[] }
    }
    document.state.ticks = document.state.ticks.slice(1)
    mkdirSync(join(work, 'quotes'))
    save('quotes/uniswap.json', JSON.stringify(document))
    const { status, stdout } = await run(['--json', join(work, 'quotes')])
    expect(status).toBe(2)
    expect(stdout).toContain('TICKS_DO_NOT_CLOSE')
  })

  it('is noted if the start state says that it lists a part of the ticks', async () => {
    const { status, stdout } = await run(['--json', day])
    const [recording] = (JSON.parse(stdout) as Report).recordings
    expect(status).toBe(0)
    expect(recording!.notes.join()).toContain('only the ticks from 239820 to 275760')
  })
})
