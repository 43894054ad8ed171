#!/usr/bin/env node
import { runTypeScript } from './with-node.js'

await runTypeScript('../apps/console/bin/start.ts')
