import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const shown = 10

/** Names the files that a run waited for the longest, before its closing lines. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    // A file alone has nothing to be compared with.
    if (modules.length <= shown) return
    const measured = modules.map((module) => ({
      path: relative(module.project.vitest.config.root, module.moduleId),
      milliseconds: module.diagnostic().duration + module.diagnostic().collectDuration,
    }))
    measured.sort((a, b) => b.milliseconds - a.milliseconds)
    console.log(`\n The ${shown} slowest files`)
    for (const { path, milliseconds } of measured.slice(0, shown)) {
      console.log(`${(milliseconds / 1000).toFixed(1).padStart(8)} s  ${path}`)
    }
  }
}
