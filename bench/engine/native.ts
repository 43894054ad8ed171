import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ClmmState } from '../../packages/engine/src/amm/v3/state.ts'
import type { SwapRequest } from '../../packages/engine/src/amm/v3/swap.ts'
import { INVERSE_ROOT_POWERS } from '../../packages/engine/src/amm/v3/tick-math.ts'

const source = fileURLToPath(new URL('native/pool.cpp', import.meta.url))
const folder = fileURLToPath(new URL('../.results/native/', import.meta.url))

/** A run of the C++ program. */
export interface NativeRun {
  readonly swapsPerSecond: number
  /** Sum of all output amounts, price, tick, liquidity and both fee growths. */
  readonly observed: string
}

/**
 * Compiles the C++ engines of this benchmark.
 *
 * @returns null where there is no g++
 */
export function compileNative():
  | ((
      mode: 'plain' | 'memo',
      state: ClmmState,
      swaps: readonly SwapRequest[],
      seconds: number,
    ) => NativeRun)
  | null {
  if (spawnSync('g++', ['--version']).error !== undefined) return null
  mkdirSync(folder, { recursive: true })
  const program = `${folder}pool`
  execFileSync('g++', ['-O3', '-march=native', '-std=c++17', '-o', program, source])
  return (mode, state, swaps, seconds) => {
    const input = describe(state, swaps)
    const printed = execFileSync(program, [mode, `${seconds}`], { input, encoding: 'utf8' })
    const [rate, ...observed] = printed.trim().split(' ')
    return { swapsPerSecond: Number(rate), observed: observed.join(' ') }
  }
}

function describe(state: ClmmState, swaps: readonly SwapRequest[]): string {
  const { feePips, tickSpacing, tick, sqrtPriceX96, liquidity } = state
  const lines = [
    ...INVERSE_ROOT_POWERS.map((power) => `${power}`),
    `${feePips} ${tickSpacing} ${tick} ${sqrtPriceX96} ${liquidity}`,
    `${state.ticks.length}`,
    ...state.ticks.map(({ index, liquidityNet: net }) =>
      net < 0n ? `${index} 1 ${-net}` : `${index} 0 ${net}`,
    ),
    `${swaps.length}`,
    ...swaps.map(({ zeroForOne, amountSpecified }) => `${zeroForOne ? 1 : 0} ${amountSpecified}`),
  ]
  return lines.join('\n')
}
