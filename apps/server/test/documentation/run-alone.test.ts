import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { runAlone } from './run-alone.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'liquidity-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

it('runs one work at a time and leaves nothing behind', async () => {
  const folder = newFolder()
  let running = 0
  const counts: number[] = []
  const work = async () => {
    running++
    await setImmediate()
    counts.push(running)
    running--
  }
  await Promise.all(Array.from({ length: 4 }, () => runAlone(join(folder, 'lock'), work)))
  expect(counts).toEqual([1, 1, 1, 1])
  expect(readdirSync(folder)).toEqual([])
})

it('releases the lock of work that fails', async () => {
  const path = join(newFolder(), 'lock')
  const failing = runAlone(path, () => Promise.reject(new Error('No demo.')))
  await expect(failing).rejects.toThrow('No demo.')
  expect(await runAlone(path, async () => 'done')).toBe('done')
})

it('takes over the lock of a process that was killed', async () => {
  const path = join(newFolder(), 'lock')
  const program = 'require("net").createServer().listen(process.argv[1], () => console.log("up"))'
  const owner = spawn(process.execPath, ['-e', program, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(owner.stdout, 'data')
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  expect(existsSync(path)).toBe(true)
  expect(await runAlone(path, async () => 'done')).toBe('done')
})
