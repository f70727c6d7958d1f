// work - what takes longer than a frame, in slices that do not.
//
// Such work is a generator, which yields where others may have a turn: loops
// do so each time that isTurn(i) is true.

const sliceMs = 20;

export const isTurn = i => i % 512 === 0;

// Runs a generator in slices, so that the page answers in between, and returns
// its result.
export async function inSlices(steps) {
    for (;;) {
        const end = performance.now() + sliceMs;

        do {
            const step = steps.next();

            if (step.done)
                return step.value;
        } while (performance.now() < end);
        await new Promise(done => setTimeout(done));
    }
}

// One piece of work at a time: what begins ends what was not done.
export class Work {
    get isBusy() {
        return !!this.steps;
    }

    // Its first slice is done at once.
    begin(steps) {
        clearTimeout(this.turn);
        this.steps = steps;
        this.go();
    }

    go() {
        const end = performance.now() + sliceMs;

        while (!this.steps.next().done)
            if (performance.now() > end) {
                this.turn = setTimeout(() => this.go());
                return;
            }
        this.steps = null;
    }
}
