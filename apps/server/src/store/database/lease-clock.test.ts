import { expect, it, onTestFinished } from 'vitest'
import { hourMilliseconds, minuteMilliseconds } from '../../units.ts'
import { openInMemory } from './connect.ts'
import { LeaseClock } from './lease-clock.ts'
import { migrate } from './migrate.ts'

it('reports the time of the database, for any clock of the machine', async () => {
  const database = await openInMemory()
  onTestFinished(() => database.close())
  await migrate(database)
  for (const off of [-hourMilliseconds, 0, hourMilliseconds]) {
    const wrong = () => Date.now() + off
    const clock = new LeaseClock(database, { clock: wrong, machine: wrong })
    expect(clock.ahead).toBe(0)
    await clock.measure()
    // The embedded database has the clock of this machine.
    expect(Math.abs(clock.ahead + off)).toBeLessThan(minuteMilliseconds)
    expect(Math.abs(clock.read() - Date.now())).toBeLessThan(minuteMilliseconds)
  }
})
