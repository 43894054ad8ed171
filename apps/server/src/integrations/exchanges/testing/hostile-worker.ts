/**
 * A process with the faults of a hostile package. The symbol of a read selects the fault: `BAD` answers with a number, `BIG` with a long
 * line, `LOOP` sends requests without end.
 */
import { createInterface } from 'node:readline'

process.stdout.write('{"kind":"READY","isIsolated":true}\n')
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { kind, id, request } = JSON.parse(line)
    if (kind !== 'READ') return
    if (request.symbol === 'BAD') process.stdout.write(`{"kind":"ANSWER","id":${id},"json":5}\n`)
    if (request.symbol === 'BIG') process.stdout.write('x'.repeat(9 * 2 ** 20))
    if (request.symbol === 'LOOP') {
      for (let fetch = 1; fetch <= 1_000; fetch += 1) {
        const url = 'https://api.kraken.com/0/public/Assets'
        const message = { kind: 'FETCH', id: fetch, readId: id, method: 'GET', url }
        process.stdout.write(`${JSON.stringify(message)}\n`)
      }
    }
  })
  .on('close', () => process.exit(0))
