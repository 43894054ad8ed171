import { neighbours } from '../../bench/neighbours.ts'
import type { Attack } from './attack.ts'

const watchedSeconds = 4

/** What one organization does to others is measured and not judged: what is much depends on the machine. */
export const neighbourAttacks: readonly Attack[] = [
  {
    area: 'neighbours',
    name: 'one organization at full load; p99 of /health/live and of reads of another organization',
    needs: 'OWN_SERVICE',
    run: async (_stage, tally) => {
      const running = await neighbours.open({ seconds: watchedSeconds })
      try {
        for (const [name, milliseconds] of Object.entries(await running.round(0))) {
          tally.note(`${name} ${milliseconds.toFixed(1)} ms`, null)
        }
      } finally {
        await running.close()
      }
    },
  },
]
