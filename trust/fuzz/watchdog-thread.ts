import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { Message } from './watchdog.ts'

const maxBlockedMilliseconds: number = workerData
const checkMilliseconds = 100

let last: Required<Message> = { request: 'none', report: '' }
let heardAt = performance.now()

parentPort?.on('message', (message: Message) => {
  last = { ...last, ...message }
  heardAt = performance.now()
})

setInterval(() => {
  if (performance.now() - heardAt < maxBlockedMilliseconds) return
  const seconds = maxBlockedMilliseconds / 1000
  writeSync(
    1,
    `${last.report}\nthe service blocked the event loop for ${seconds} s; the last request: ${last.request}\n`,
  )
  // A thread cannot end the process in another way while the main thread is blocked.
  process.kill(process.pid, 'SIGKILL')
}, checkMilliseconds)
parentPort?.postMessage('ready')
