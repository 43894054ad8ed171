import type { Output } from './output.ts'
import type { OnProgress } from './read-lines.ts'

const WIDTH = 30

/** A progress bar, redrawn per whole %; writes only to a terminal. */
export function progressBar(output: Output, name: string): { advance: OnProgress; clear(): void } {
  if (output.isTTY !== true) return { advance: () => {}, clear: () => {} }
  let shown = -1
  return {
    advance(share) {
      const percent = Math.floor(share * 100)
      if (percent === shown) return
      shown = percent
      const filled = Math.round(share * WIDTH)
      const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled)
      output.write(`\r${bar} ${String(percent).padStart(3)} %  ${name}`)
    },
    clear() {
      if (shown >= 0) output.write(`\r${' '.repeat(WIDTH + 8 + name.length)}\r`)
    },
  }
}
