// @module-tag long
// @covers docs apps/demo/src

import { testChapter } from './test-chapter.ts'

testChapter('operate')
