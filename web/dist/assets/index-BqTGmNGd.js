var e=globalThis,t=e.ShadowRoot&&(e.ShadyCSS===void 0||e.ShadyCSS.nativeShadow)&&`adoptedStyleSheets`in Document.prototype&&`replace`in CSSStyleSheet.prototype,n=Symbol(),r=new WeakMap,i=class{constructor(e,t,r){if(this._$cssResult$=!0,r!==n)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=t}get styleSheet(){let e=this.o,n=this.t;if(t&&e===void 0){let t=n!==void 0&&n.length===1;t&&(e=r.get(n)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),t&&r.set(n,e))}return e}toString(){return this.cssText}},a=e=>new i(typeof e==`string`?e:e+``,void 0,n),o=(n,r)=>{if(t)n.adoptedStyleSheets=r.map(e=>e instanceof CSSStyleSheet?e:e.styleSheet);else for(let t of r){let r=document.createElement(`style`),i=e.litNonce;i!==void 0&&r.setAttribute(`nonce`,i),r.textContent=t.cssText,n.appendChild(r)}},s=t?e=>e:e=>e instanceof CSSStyleSheet?(e=>{let t=``;for(let n of e.cssRules)t+=n.cssText;return a(t)})(e):e,{is:c,defineProperty:l,getOwnPropertyDescriptor:u,getOwnPropertyNames:d,getOwnPropertySymbols:f,getPrototypeOf:p}=Object,m=globalThis,h=m.trustedTypes,g=h?h.emptyScript:``,_=m.reactiveElementPolyfillSupport,v=(e,t)=>e,ee={toAttribute(e,t){switch(t){case Boolean:e=e?g:null;break;case Object:case Array:e=e==null?e:JSON.stringify(e)}return e},fromAttribute(e,t){let n=e;switch(t){case Boolean:n=e!==null;break;case Number:n=e===null?null:Number(e);break;case Object:case Array:try{n=JSON.parse(e)}catch{n=null}}return n}},y=(e,t)=>!c(e,t),b={attribute:!0,type:String,converter:ee,reflect:!1,useDefault:!1,hasChanged:y};Symbol.metadata??=Symbol(`metadata`),m.litPropertyMetadata??=new WeakMap;var x=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,t=b){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(e,t),!t.noAccessor){let n=Symbol(),r=this.getPropertyDescriptor(e,n,t);r!==void 0&&l(this.prototype,e,r)}}static getPropertyDescriptor(e,t,n){let{get:r,set:i}=u(this.prototype,e)??{get(){return this[t]},set(e){this[t]=e}};return{get:r,set(t){let a=r?.call(this);i?.call(this,t),this.requestUpdate(e,a,n)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??b}static _$Ei(){if(this.hasOwnProperty(v(`elementProperties`)))return;let e=p(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(v(`finalized`)))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(v(`properties`))){let e=this.properties,t=[...d(e),...f(e)];for(let n of t)this.createProperty(n,e[n])}let e=this[Symbol.metadata];if(e!==null){let t=litPropertyMetadata.get(e);if(t!==void 0)for(let[e,n]of t)this.elementProperties.set(e,n)}this._$Eh=new Map;for(let[e,t]of this.elementProperties){let n=this._$Eu(e,t);n!==void 0&&this._$Eh.set(n,e)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let t=[];if(Array.isArray(e)){let n=new Set(e.flat(1/0).reverse());for(let e of n)t.unshift(s(e))}else e!==void 0&&t.push(s(e));return t}static _$Eu(e,t){let n=t.attribute;return!1===n?void 0:typeof n==`string`?n:typeof e==`string`?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,t=this.constructor.elementProperties;for(let n of t.keys())this.hasOwnProperty(n)&&(e.set(n,this[n]),delete this[n]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return o(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,t,n){this._$AK(e,n)}_$ET(e,t){let n=this.constructor.elementProperties.get(e),r=this.constructor._$Eu(e,n);if(r!==void 0&&!0===n.reflect){let i=(n.converter?.toAttribute===void 0?ee:n.converter).toAttribute(t,n.type);this._$Em=e,i==null?this.removeAttribute(r):this.setAttribute(r,i),this._$Em=null}}_$AK(e,t){let n=this.constructor,r=n._$Eh.get(e);if(r!==void 0&&this._$Em!==r){let e=n.getPropertyOptions(r),i=typeof e.converter==`function`?{fromAttribute:e.converter}:e.converter?.fromAttribute===void 0?ee:e.converter;this._$Em=r;let a=i.fromAttribute(t,e.type);this[r]=a??this._$Ej?.get(r)??a,this._$Em=null}}requestUpdate(e,t,n,r=!1,i){if(e!==void 0){let a=this.constructor;if(!1===r&&(i=this[e]),n??=a.getPropertyOptions(e),!((n.hasChanged??y)(i,t)||n.useDefault&&n.reflect&&i===this._$Ej?.get(e)&&!this.hasAttribute(a._$Eu(e,n))))return;this.C(e,t,n)}!1===this.isUpdatePending&&(this._$ES=this._$EP())}C(e,t,{useDefault:n,reflect:r,wrapped:i},a){n&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,a??t??this[e]),!0!==i||a!==void 0)||(this._$AL.has(e)||(this.hasUpdated||n||(t=void 0),this._$AL.set(e,t)),!0===r&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(e){Promise.reject(e)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[e,t]of this._$Ep)this[e]=t;this._$Ep=void 0}let e=this.constructor.elementProperties;if(e.size>0)for(let[t,n]of e){let{wrapped:e}=n,r=this[t];!0!==e||this._$AL.has(t)||r===void 0||this.C(t,void 0,n,r)}}let e=!1,t=this._$AL;try{e=this.shouldUpdate(t),e?(this.willUpdate(t),this._$EO?.forEach(e=>e.hostUpdate?.()),this.update(t)):this._$EM()}catch(t){throw e=!1,this._$EM(),t}e&&this._$AE(t)}willUpdate(e){}_$AE(e){this._$EO?.forEach(e=>e.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(e=>this._$ET(e,this[e])),this._$EM()}updated(e){}firstUpdated(e){}};x.elementStyles=[],x.shadowRootOptions={mode:`open`},x[v(`elementProperties`)]=new Map,x[v(`finalized`)]=new Map,_?.({ReactiveElement:x}),(m.reactiveElementVersions??=[]).push(`2.1.2`);var te=globalThis,ne=e=>e,re=te.trustedTypes,ie=re?re.createPolicy(`lit-html`,{createHTML:e=>e}):void 0,ae=`$lit$`,S=`lit$${Math.random().toFixed(9).slice(2)}$`,oe=`?`+S,se=`<${oe}>`,ce=document,le=()=>ce.createComment(``),ue=e=>e===null||typeof e!=`object`&&typeof e!=`function`,de=Array.isArray,fe=e=>de(e)||typeof e?.[Symbol.iterator]==`function`,pe=`[ 	
\f\r]`,me=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,he=/-->/g,ge=/>/g,_e=RegExp(`>|${pe}(?:([^\\s"'>=/]+)(${pe}*=${pe}*(?:[^ \t\n\f\r"'\`<>=]|("|')|))|$)`,`g`),ve=/'/g,ye=/"/g,be=/^(?:script|style|textarea|title)$/i,xe=e=>(t,...n)=>({_$litType$:e,strings:t,values:n}),C=xe(1),Se=xe(2),Ce=Symbol.for(`lit-noChange`),w=Symbol.for(`lit-nothing`),we=new WeakMap,Te=ce.createTreeWalker(ce,129);function Ee(e,t){if(!de(e)||!e.hasOwnProperty(`raw`))throw Error(`invalid template strings array`);return ie===void 0?t:ie.createHTML(t)}var De=(e,t)=>{let n=e.length-1,r=[],i,a=t===2?`<svg>`:t===3?`<math>`:``,o=me;for(let t=0;t<n;t++){let n=e[t],s,c,l=-1,u=0;for(;u<n.length&&(o.lastIndex=u,c=o.exec(n),c!==null);)u=o.lastIndex,o===me?c[1]===`!--`?o=he:c[1]===void 0?c[2]===void 0?c[3]!==void 0&&(o=_e):(be.test(c[2])&&(i=RegExp(`</`+c[2],`g`)),o=_e):o=ge:o===_e?c[0]===`>`?(o=i??me,l=-1):c[1]===void 0?l=-2:(l=o.lastIndex-c[2].length,s=c[1],o=c[3]===void 0?_e:c[3]===`"`?ye:ve):o===ye||o===ve?o=_e:o===he||o===ge?o=me:(o=_e,i=void 0);let d=o===_e&&e[t+1].startsWith(`/>`)?` `:``;a+=o===me?n+se:l>=0?(r.push(s),n.slice(0,l)+ae+n.slice(l)+S+d):n+S+(l===-2?t:d)}return[Ee(e,a+(e[n]||`<?>`)+(t===2?`</svg>`:t===3?`</math>`:``)),r]},Oe=class e{constructor({strings:t,_$litType$:n},r){let i;this.parts=[];let a=0,o=0,s=t.length-1,c=this.parts,[l,u]=De(t,n);if(this.el=e.createElement(l,r),Te.currentNode=this.el.content,n===2||n===3){let e=this.el.content.firstChild;e.replaceWith(...e.childNodes)}for(;(i=Te.nextNode())!==null&&c.length<s;){if(i.nodeType===1){if(i.hasAttributes())for(let e of i.getAttributeNames())if(e.endsWith(ae)){let t=u[o++],n=i.getAttribute(e).split(S),r=/([.?@])?(.*)/.exec(t);c.push({type:1,index:a,name:r[2],strings:n,ctor:r[1]===`.`?Ne:r[1]===`?`?Pe:r[1]===`@`?Fe:Me}),i.removeAttribute(e)}else e.startsWith(S)&&(c.push({type:6,index:a}),i.removeAttribute(e));if(be.test(i.tagName)){let e=i.textContent.split(S),t=e.length-1;if(t>0){i.textContent=re?re.emptyScript:``;for(let n=0;n<t;n++)i.append(e[n],le()),Te.nextNode(),c.push({type:2,index:++a});i.append(e[t],le())}}}else if(i.nodeType===8){if(i.data===oe)c.push({type:2,index:a});else{let e=-1;for(;(e=i.data.indexOf(S,e+1))!==-1;)c.push({type:7,index:a}),e+=S.length-1}}a++}}static createElement(e,t){let n=ce.createElement(`template`);return n.innerHTML=e,n}};function ke(e,t,n=e,r){if(t===Ce)return t;let i=r===void 0?n._$Cl:n._$Co?.[r],a=ue(t)?void 0:t._$litDirective$;return i?.constructor!==a&&(i?._$AO?.(!1),a===void 0?i=void 0:(i=new a(e),i._$AT(e,n,r)),r===void 0?n._$Cl=i:(n._$Co??=[])[r]=i),i!==void 0&&(t=ke(e,i._$AS(e,t.values),i,r)),t}var Ae=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:n}=this._$AD,r=(e?.creationScope??ce).importNode(t,!0);Te.currentNode=r;let i=Te.nextNode(),a=0,o=0,s=n[0];for(;s!==void 0;){if(a===s.index){let t;s.type===2?t=new je(i,i.nextSibling,this,e):s.type===1?t=new s.ctor(i,s.name,s.strings,this,e):s.type===6&&(t=new Ie(i,this,e)),this._$AV.push(t),s=n[++o]}a!==s?.index&&(i=Te.nextNode(),a++)}return Te.currentNode=ce,r}p(e){let t=0;for(let n of this._$AV)n!==void 0&&(n.strings===void 0?n._$AI(e[t]):(n._$AI(e,n,t),t+=n.strings.length-2)),t++}},je=class e{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,n,r){this.type=2,this._$AH=w,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=n,this.options=r,this._$Cv=r?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=ke(this,e,t),ue(e)?e===w||e==null||e===``?(this._$AH!==w&&this._$AR(),this._$AH=w):e!==this._$AH&&e!==Ce&&this._(e):e._$litType$===void 0?e.nodeType===void 0?fe(e)?this.k(e):this._(e):this.T(e):this.$(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==w&&ue(this._$AH)?this._$AA.nextSibling.data=e:this.T(ce.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:n}=e,r=typeof n==`number`?this._$AC(e):(n.el===void 0&&(n.el=Oe.createElement(Ee(n.h,n.h[0]),this.options)),n);if(this._$AH?._$AD===r)this._$AH.p(t);else{let e=new Ae(r,this),n=e.u(this.options);e.p(t),this.T(n),this._$AH=e}}_$AC(e){let t=we.get(e.strings);return t===void 0&&we.set(e.strings,t=new Oe(e)),t}k(t){de(this._$AH)||(this._$AH=[],this._$AR());let n=this._$AH,r,i=0;for(let a of t)i===n.length?n.push(r=new e(this.O(le()),this.O(le()),this,this.options)):r=n[i],r._$AI(a),i++;i<n.length&&(this._$AR(r&&r._$AB.nextSibling,i),n.length=i)}_$AR(e=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);e!==this._$AB;){let t=ne(e).nextSibling;ne(e).remove(),e=t}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},Me=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,n,r,i){this.type=1,this._$AH=w,this._$AN=void 0,this.element=e,this.name=t,this._$AM=r,this.options=i,n.length>2||n[0]!==``||n[1]!==``?(this._$AH=Array(n.length-1).fill(new String),this.strings=n):this._$AH=w}_$AI(e,t=this,n,r){let i=this.strings,a=!1;if(i===void 0)e=ke(this,e,t,0),a=!ue(e)||e!==this._$AH&&e!==Ce,a&&(this._$AH=e);else{let r=e,o,s;for(e=i[0],o=0;o<i.length-1;o++)s=ke(this,r[n+o],t,o),s===Ce&&(s=this._$AH[o]),a||=!ue(s)||s!==this._$AH[o],s===w?e=w:e!==w&&(e+=(s??``)+i[o+1]),this._$AH[o]=s}a&&!r&&this.j(e)}j(e){e===w?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??``)}},Ne=class extends Me{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===w?void 0:e}},Pe=class extends Me{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==w)}},Fe=class extends Me{constructor(e,t,n,r,i){super(e,t,n,r,i),this.type=5}_$AI(e,t=this){if((e=ke(this,e,t,0)??w)===Ce)return;let n=this._$AH,r=e===w&&n!==w||e.capture!==n.capture||e.once!==n.once||e.passive!==n.passive,i=e!==w&&(n===w||r);r&&this.element.removeEventListener(this.name,this,n),i&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH==`function`?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},Ie=class{constructor(e,t,n){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=n}get _$AU(){return this._$AM._$AU}_$AI(e){ke(this,e)}},Le=te.litHtmlPolyfillSupport;Le?.(Oe,je),(te.litHtmlVersions??=[]).push(`3.3.3`);var Re=(e,t,n)=>{let r=n?.renderBefore??t,i=r._$litPart$;if(i===void 0){let e=n?.renderBefore??null;r._$litPart$=i=new je(t.insertBefore(le(),e),e,void 0,n??{})}return i._$AI(e),i},ze=globalThis,Be=class extends x{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=Re(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return Ce}};Be._$litElement$=!0,Be.finalized=!0,ze.litElementHydrateSupport?.({LitElement:Be});var Ve=ze.litElementPolyfillSupport;Ve?.({LitElement:Be}),(ze.litElementVersions??=[]).push(`4.2.2`);function T(e=location.hash){let[t=``,n=``]=e.replace(/^#\/?/,``).split(`?`,2);return{page:t,parameters:new URLSearchParams(n)}}function E(e,t={}){let n=new URLSearchParams;for(let[e,r]of Object.entries(t))for(let t of[r??[]].flat())n.append(e,t);let r=n.toString();return`#/${e}${r===``?``:`?${r}`}`}function He(e){return!0}function Ue({page:e,parameters:t},n){let r=new URLSearchParams(t);for(let[e,t]of Object.entries(n)){r.delete(e);for(let n of[t??[]].flat())n!==``&&r.append(e,n)}let i=r.toString();return`#/${e}${i===``?``:`?${i}`}`}function D(e,t=!1){let n=Ue(T(),e);n!==location.hash&&(t?history.pushState(null,``,n):history.replaceState(null,``,n),window.dispatchEvent(new HashChangeEvent(`hashchange`)))}var O=class extends Be{createRenderRoot(){return this}};function k(e,t,n,r){e.addController({hostConnected:()=>t.addEventListener(n,r),hostDisconnected:()=>t.removeEventListener(n,r)})}var A=class extends Error{kind=`unknown`;what;why;hint;requestId;status;retryAfterMs;candidates;constructor(e){let t=e.hint?` (hint: ${e.hint})`:``;super(`cannot ${e.what}: ${e.why}${t}`,{cause:e.cause}),this.name=new.target.name,e.kind!==void 0&&(this.kind=e.kind),this.what=e.what,this.why=e.why,this.hint=e.hint??null,this.requestId=e.requestId??null,this.status=e.status??null,this.retryAfterMs=e.retryAfterMs??null,this.candidates=e.candidates??[]}},We=class extends A{kind=`invalid_input`},Ge=class extends A{kind=`not_found`},Ke=class extends A{kind=`conflict`},qe=class extends A{kind=`unavailable`},Je=class extends A{kind=`corrupt`},Ye=class extends A{kind=`bug`},Xe=class extends A{kind=`unauthenticated`},Ze=class extends A{kind=`forbidden`},Qe=class extends A{kind=`rate_limited`},$e=class extends A{kind=`too_large`},et=class extends A{kind=`timed_out`},tt=class extends A{kind=`method_not_allowed`},nt=class extends A{kind=`unsupported_media_type`},rt=class extends qe{kind=`unreachable`;mayHaveArrived;constructor(e,t){super(e),this.mayHaveArrived=t}},it=class extends A{kind=`interrupted`},at=class extends A{kind=`bad_answer`},ot={invalid_input:We,not_found:Ge,conflict:Ke,unavailable:qe,corrupt:Je,bug:Ye,unauthenticated:Xe,forbidden:Ze,rate_limited:Qe,too_large:$e,timed_out:et,method_not_allowed:tt,unsupported_media_type:nt};function st(e){return e.role===null||e.role===`read`||e.method===`GET`}var ct=`http://127.0.0.1:4747`,lt=`the write may have succeeded; check before retrying`,ut=new Set([`ECONNREFUSED`,`ENOTFOUND`,`EAI_AGAIN`,`EHOSTUNREACH`,`ENETUNREACH`,`UND_ERR_CONNECT_TIMEOUT`]),dt=class{url;timeoutMs;#e;#t;#n;constructor(e){let{env:t}=globalThis.process??{};if(this.url=mt(e.url||t?.GRIOT_URL||`http://127.0.0.1:4747`),this.#e=e.apiKey||t?.GRIOT_API_KEY||void 0,this.#e!==void 0&&!/^[!-~]+$/.test(this.#e))throw new We({what:`use the key`,why:`it holds a space or a character beyond ASCII`,hint:`griot key create makes one`});this.#t={workspace:e.workspace,user:e.user,project:e.project},this.timeoutMs=e.timeoutMs??3e4,this.#n=e.retries??2}request(e,t,n=null){let r=new Map(Object.entries(t).filter(([,e])=>e!=null));for(let[t,n]of Object.entries(this.#t))e.role!==null&&n!==void 0&&!r.has(t)&&r.set(t,n);let i=bt(),a={"X-Request-Id":i};this.#e!==void 0&&(a.Authorization=`Bearer ${this.#e}`),n!==null&&(a[`Last-Event-ID`]=n);let o=e.path.replace(/\{(\w+)\}/g,(e,t)=>{let n=gt(t,r.get(t));return r.delete(t),n}),s=r.get(`workspace`);r.delete(`workspace`);let c=null;if(e.method===`GET`||e.method===`DELETE`){s!==void 0&&r.set(`tenantId`,s);let e=[...r].map(([e,t])=>`${encodeURIComponent(e)}=${_t(t)}`);e.length>0&&(o+=`?${e.join(`&`)}`)}else s!==void 0&&r.set(`scope`,{tenantId:s}),c=ht(e,Object.fromEntries(r)),a[`Content-Type`]=`application/json`;let l={method:e.method,headers:a,body:c,redirect:`manual`,credentials:`omit`};return{verb:e,id:i,url:this.url+o,init:l}}meaning(e,t,n){if(t.status!==200)throw this.refusal(e,t,n);return t.headers.get(`content-type`)?.split(`;`)[0]?.trim()===`application/json`?this.item(e,n):n}item(e,t){try{return JSON.parse(t)}catch(t){throw new at({what:Ct(e.verb),why:`the answer is not JSON`,requestId:e.id,cause:t})}}refusal(e,t,n){let r=yt(n);if(r===null)return this.#r(e,t.status);let i=t.headers.get(`retry-after`);return new(ot[r.kind]??A)({kind:r.kind,what:r.what,why:r.why,hint:r.hint,requestId:r.request_id,candidates:r.candidates,status:t.status,retryAfterMs:i!==null&&/^\d+$/.test(i)?Number(i)*1e3:void 0})}#r(e,t){let n={what:Ct(e.verb),requestId:e.id,status:t};if(t===502||t===503||t===504)return new rt({...n,why:`a proxy answered ${t}`},!0);let r=`${this.url} answered ${t} with a body that is not Griot's`;return new at({...n,why:r,hint:`check the address`})}broken(e,t,n,r){let i={what:Ct(e.verb),requestId:e.id,cause:t},a=st(e.verb)?null:lt;if(n)return new et({...i,why:`there was no answer within ${r} ms`,hint:a});let o=xt(t);if(o.some(e=>e.startsWith(`HPE_`)))return new at({...i,why:`${this.url} is not an HTTP server`,hint:`check the address`});let s=!o.some(e=>ut.has(e)),c=s?a:`start a server with griot serve, or set GRIOT_URL to its address`;return new rt({...i,why:`${this.url} does not answer: ${St(t)}`,hint:c},s)}checkStream(e,t,n){if(t.headers.get(`content-type`)?.split(`;`)[0]?.trim()===n)return;let r=`${this.url} did not answer with \`${n}\``;throw new at({what:Ct(e.verb),why:r,hint:`check the address`,requestId:e.id})}interrupted(e,t,n){return new it({what:`read the stream of \`${e.verb.name}\` to its end`,why:t,requestId:e.id,cause:n})}pause(e,t,n,r){if(n>=this.#n)return null;let i=t instanceof rt?st(e)||!t.mayHaveArrived:t instanceof Ke||t instanceof qe||t instanceof Qe,a=t.retryAfterMs||50*2**n*(.5+Math.random());return i&&a<r?a:null}},ft=class{#e;#t=null;#n=0;constructor(e){this.#e=e}connected(){this.#t=null}received(){this.#n=0}pause(e){let t=performance.now();this.#t??=t;let n=e.retryAfterMs||Math.min(50*2**this.#n,5e3)*(.5+Math.random());if(this.#n+=1,![qe,Ke,Qe,et,it].some(t=>e instanceof t)||t+n-this.#t>this.#e)throw e;return n}},pt=class{#e=``;#t=[];#n=null;feed(e){let t=[],n=(this.#e+e).split(`
`);this.#e=n.pop()??``;for(let e of n){let n=e.endsWith(`\r`)?e.slice(0,-1):e;if(n===``){let e=this.#t.length>0?this.#t.join(`
`):null;(e!==null||this.#n!==null)&&t.push({id:this.#n,data:e}),this.#t=[],this.#n=null;continue}let r=n.indexOf(`:`),i=r<0?n:n.slice(0,r),a=r<0?``:n.slice(r+1).replace(/^ /,``);i===`data`?this.#t.push(a):i===`id`&&(this.#n=a)}return t}};function mt(e){let t=t=>new We({what:`use the address \`${e}\``,why:t,hint:`write it as ${ct}`}),n;try{n=new URL(e)}catch{throw t(`not an address`)}if(n.protocol!==`http:`&&n.protocol!==`https:`)throw t(`not an HTTP address`);if(n.search||n.hash||n.username||n.password)throw t(`it has a query, a fragment or credentials`);return n.origin+n.pathname.replace(/\/+$/,``)}function ht(e,t){try{return JSON.stringify(t)}catch(t){throw new We({what:Ct(e),why:`an argument cannot be written as JSON: ${St(t)}`,cause:t})}}function gt(e,t){let n=t===void 0?``:String(t);if(n===``||n===`.`||n===`..`)throw new We({what:`use \`${n}\` as \`${e}\``,why:`not a valid name`});return vt(n)}function _t(e){return Array.isArray(e)?e.map(e=>vt(String(e))).join(`,`):vt(String(e))}function vt(e){try{return encodeURIComponent(e)}catch(e){throw new We({what:`write the address`,why:`a name contains an unpaired surrogate`,cause:e})}}function yt(e){try{let{error:t}=JSON.parse(e);return typeof t.kind==`string`&&typeof t.what==`string`?t:null}catch{return null}}function bt(){let e=crypto.getRandomValues(new Uint8Array(16));return Array.from(e,e=>e.toString(16).padStart(2,`0`)).join(``)}function xt(e){let t=[];for(let n=e;n;n=n.cause)typeof n.code==`string`&&t.push(n.code);return t}function St(e){let t=e;for(;t?.cause;)t=t.cause;return t?.message||t?.code||String(e)}function Ct(e){return e.method===`GET`?`get \`${e.name}\``:`ask the server to ${e.name}`}var j={remember:{name:`remember`,method:`POST`,path:`/v1/remember`,role:`write`},rememberMany:{name:`rememberMany`,method:`POST`,path:`/v1/remember/batch`,role:`write`},editMemory:{name:`editMemory`,method:`PATCH`,path:`/v1/memories/{name}`,role:`write`},eraseMemory:{name:`eraseMemory`,method:`DELETE`,path:`/v1/memories/{name}`,role:`admin`},show:{name:`show`,method:`GET`,path:`/v1/memories/{name}`,role:`read`},recall:{name:`recall`,method:`POST`,path:`/v1/recall`,role:`read`},context:{name:`context`,method:`POST`,path:`/v1/context`,role:`read`},answer:{name:`answer`,method:`POST`,path:`/v1/answer`,role:`read`},traverse:{name:`traverse`,method:`POST`,path:`/v1/traverse`,role:`read`},link:{name:`link`,method:`POST`,path:`/v1/link`,role:`write`},unlink:{name:`unlink`,method:`POST`,path:`/v1/unlink`,role:`write`},forget:{name:`forget`,method:`POST`,path:`/v1/forget`,role:`write`},restore:{name:`restore`,method:`POST`,path:`/v1/restore`,role:`write`},offers:{name:`offers`,method:`GET`,path:`/v1/offers`,role:`read`},eraseSource:{name:`eraseSource`,method:`DELETE`,path:`/v1/sources/{name}`,role:`admin`},source:{name:`source`,method:`GET`,path:`/v1/sources/{name}`,role:`read`},tagSource:{name:`tagSource`,method:`PATCH`,path:`/v1/sources/{name}`,role:`write`},eraseEntity:{name:`eraseEntity`,method:`DELETE`,path:`/v1/entities/{name}`,role:`admin`},entity:{name:`entity`,method:`GET`,path:`/v1/entities/{name}`,role:`read`},eraseUser:{name:`eraseUser`,method:`DELETE`,path:`/v1/users/{name}`,role:`admin`},erasures:{name:`erasures`,method:`GET`,path:`/v1/erasures`,role:`admin`},why:{name:`why`,method:`POST`,path:`/v1/why`,role:`read`},related:{name:`related`,method:`POST`,path:`/v1/related`,role:`read`},similar:{name:`similar`,method:`POST`,path:`/v1/similar`,role:`read`},path:{name:`path`,method:`POST`,path:`/v1/path`,role:`read`},timeline:{name:`timeline`,method:`POST`,path:`/v1/timeline`,role:`read`},memories:{name:`memories`,method:`GET`,path:`/v1/memories`,role:`read`},notes:{name:`notes`,method:`GET`,path:`/v1/memories/{name}/notes`,role:`read`},undoNote:{name:`undoNote`,method:`POST`,path:`/v1/memories/{name}/notes/undo`,role:`write`},edge:{name:`edge`,method:`GET`,path:`/v1/edges/{name}`,role:`read`},entities:{name:`entities`,method:`GET`,path:`/v1/entities`,role:`read`},hubs:{name:`hubs`,method:`POST`,path:`/v1/hubs`,role:`read`},graphLayout:{name:`graphLayout`,method:`GET`,path:`/v1/graph/layout`,role:`read`},layOutGraph:{name:`layOutGraph`,method:`POST`,path:`/v1/graph/layout`,role:`write`},facts:{name:`facts`,method:`GET`,path:`/v1/facts`,role:`read`},addFact:{name:`addFact`,method:`POST`,path:`/v1/facts`,role:`write`},endFact:{name:`endFact`,method:`PATCH`,path:`/v1/facts/{name}`,role:`write`},conflicts:{name:`conflicts`,method:`GET`,path:`/v1/conflicts`,role:`read`},ingest:{name:`ingest`,method:`POST`,path:`/v1/ingest`,role:`write`},sources:{name:`sources`,method:`GET`,path:`/v1/sources`,role:`read`},sourceGraph:{name:`sourceGraph`,method:`GET`,path:`/v1/sources/{name}/graph`,role:`read`},refreshSource:{name:`refreshSource`,method:`POST`,path:`/v1/sources/{name}/refresh`,role:`write`},crawl:{name:`crawl`,method:`POST`,path:`/v1/crawl`,role:`write`},jobs:{name:`jobs`,method:`GET`,path:`/v1/jobs`,role:`read`},job:{name:`job`,method:`GET`,path:`/v1/jobs/{name}`,role:`read`},pauseJob:{name:`pauseJob`,method:`POST`,path:`/v1/jobs/{name}/pause`,role:`write`},resumeJob:{name:`resumeJob`,method:`POST`,path:`/v1/jobs/{name}/resume`,role:`write`},cancelJob:{name:`cancelJob`,method:`POST`,path:`/v1/jobs/{name}/cancel`,role:`write`},retryJob:{name:`retryJob`,method:`POST`,path:`/v1/jobs/{name}/retry`,role:`write`},status:{name:`status`,method:`GET`,path:`/v1/status`,role:`read`},feedback:{name:`feedback`,method:`POST`,path:`/v1/feedback`,role:`write`},rollout:{name:`rollout`,method:`GET`,path:`/v1/rollout`,role:`read`},setRollout:{name:`setRollout`,method:`PATCH`,path:`/v1/rollout`,role:`admin`},recalls:{name:`recalls`,method:`GET`,path:`/v1/recalls`,role:`admin`},compareRecalls:{name:`compareRecalls`,method:`GET`,path:`/v1/recalls/compare`,role:`admin`},verify:{name:`verify`,method:`GET`,path:`/v1/verify`,role:`read`},buildGraphs:{name:`buildGraphs`,method:`POST`,path:`/v1/build-graphs`,role:`write`},gc:{name:`gc`,method:`POST`,path:`/v1/gc`,role:`read`},warnings:{name:`warnings`,method:`GET`,path:`/v1/warnings`,role:`read`},acknowledgeWarning:{name:`acknowledgeWarning`,method:`POST`,path:`/v1/warnings/{name}/acknowledge`,role:`write`},doctor:{name:`doctor`,method:`GET`,path:`/v1/doctor`,role:`admin`},usage:{name:`usage`,method:`GET`,path:`/v1/usage`,role:`read`},enrich:{name:`enrich`,method:`POST`,path:`/v1/enrich`,role:`admin`},merges:{name:`merges`,method:`GET`,path:`/v1/merges`,role:`read`},merge:{name:`merge`,method:`POST`,path:`/v1/merges`,role:`admin`},judgeMerges:{name:`judgeMerges`,method:`POST`,path:`/v1/merges/judge`,role:`admin`},suggestMerges:{name:`suggestMerges`,method:`POST`,path:`/v1/merges/suggest`,role:`admin`},unmerge:{name:`unmerge`,method:`POST`,path:`/v1/merges/{name}/undo`,role:`admin`},applyMerge:{name:`applyMerge`,method:`POST`,path:`/v1/merges/{name}/apply`,role:`admin`},dismissMerge:{name:`dismissMerge`,method:`POST`,path:`/v1/merges/{name}/dismiss`,role:`admin`},export:{name:`export`,method:`GET`,path:`/v1/export`,role:`admin`},events:{name:`events`,method:`GET`,path:`/v1/events`,role:`read`},health:{name:`health`,method:`GET`,path:`/healthz`,role:null},ready:{name:`ready`,method:`GET`,path:`/readyz`,role:null},metrics:{name:`metrics`,method:`GET`,path:`/metrics`,role:null},openApi:{name:`openApi`,method:`GET`,path:`/openapi.json`,role:null}},wt=class{remember(e,t){return this.ask(j.remember,e,t)}rememberMany(e,t){return this.ask(j.rememberMany,e,t)}editMemory(e,t){return this.ask(j.editMemory,e,t)}eraseMemory(e,t){return this.ask(j.eraseMemory,e,t)}show(e,t){return this.ask(j.show,e,t)}recall(e,t){return this.ask(j.recall,e,t)}context(e,t){return this.ask(j.context,e,t)}answer(e,t){return this.ask(j.answer,e,t)}traverse(e,t){return this.ask(j.traverse,e,t)}link(e,t){return this.ask(j.link,e,t)}unlink(e,t){return this.ask(j.unlink,e,t)}forget(e,t){return this.ask(j.forget,e,t)}restore(e,t){return this.ask(j.restore,e,t)}offers(e={},t){return this.ask(j.offers,e,t)}eraseSource(e,t){return this.ask(j.eraseSource,e,t)}source(e,t){return this.ask(j.source,e,t)}tagSource(e,t){return this.ask(j.tagSource,e,t)}eraseEntity(e,t){return this.ask(j.eraseEntity,e,t)}entity(e,t){return this.ask(j.entity,e,t)}eraseUser(e,t){return this.ask(j.eraseUser,e,t)}erasures(e={},t){return this.ask(j.erasures,e,t)}why(e,t){return this.ask(j.why,e,t)}related(e,t){return this.ask(j.related,e,t)}similar(e,t){return this.ask(j.similar,e,t)}path(e,t){return this.ask(j.path,e,t)}timeline(e={},t){return this.ask(j.timeline,e,t)}memories(e={},t){return this.ask(j.memories,e,t)}notes(e,t){return this.ask(j.notes,e,t)}undoNote(e,t){return this.ask(j.undoNote,e,t)}edge(e,t){return this.ask(j.edge,e,t)}entities(e={},t){return this.ask(j.entities,e,t)}hubs(e={},t){return this.ask(j.hubs,e,t)}graphLayout(e={},t){return this.ask(j.graphLayout,e,t)}layOutGraph(e={},t){return this.ask(j.layOutGraph,e,t)}facts(e={},t){return this.ask(j.facts,e,t)}addFact(e,t){return this.ask(j.addFact,e,t)}endFact(e,t){return this.ask(j.endFact,e,t)}conflicts(e={},t){return this.ask(j.conflicts,e,t)}ingest(e={},t){return this.ask(j.ingest,e,t)}sources(e={},t){return this.ask(j.sources,e,t)}sourceGraph(e,t){return this.ask(j.sourceGraph,e,t)}refreshSource(e,t){return this.ask(j.refreshSource,e,t)}crawl(e,t){return this.ask(j.crawl,e,t)}jobs(e={},t){return this.ask(j.jobs,e,t)}job(e,t){return this.ask(j.job,e,t)}pauseJob(e,t){return this.ask(j.pauseJob,e,t)}resumeJob(e,t){return this.ask(j.resumeJob,e,t)}cancelJob(e,t){return this.ask(j.cancelJob,e,t)}retryJob(e,t){return this.ask(j.retryJob,e,t)}status(e={},t){return this.ask(j.status,e,t)}feedback(e,t){return this.ask(j.feedback,e,t)}rollout(e={},t){return this.ask(j.rollout,e,t)}setRollout(e,t){return this.ask(j.setRollout,e,t)}recalls(e={},t){return this.ask(j.recalls,e,t)}compareRecalls(e={},t){return this.ask(j.compareRecalls,e,t)}verify(e={},t){return this.ask(j.verify,e,t)}buildGraphs(e={},t){return this.ask(j.buildGraphs,e,t)}gc(e={},t){return this.ask(j.gc,e,t)}warnings(e={},t){return this.ask(j.warnings,e,t)}acknowledgeWarning(e,t){return this.ask(j.acknowledgeWarning,e,t)}doctor(e={},t){return this.ask(j.doctor,e,t)}usage(e={},t){return this.ask(j.usage,e,t)}enrich(e={},t){return this.ask(j.enrich,e,t)}merges(e={},t){return this.ask(j.merges,e,t)}merge(e,t){return this.ask(j.merge,e,t)}judgeMerges(e={},t){return this.ask(j.judgeMerges,e,t)}suggestMerges(e={},t){return this.ask(j.suggestMerges,e,t)}unmerge(e,t){return this.ask(j.unmerge,e,t)}applyMerge(e,t){return this.ask(j.applyMerge,e,t)}dismissMerge(e,t){return this.ask(j.dismissMerge,e,t)}health(e){return this.ask(j.health,{},e)}ready(e){return this.ask(j.ready,{},e)}metrics(e){return this.ask(j.metrics,{},e)}openApi(e){return this.ask(j.openApi,{},e)}},Tt=45e3,Et=class extends wt{#e;#t;constructor(e={}){super(),this.#e=new dt(e),this.#t=e.fetch??((e,t)=>fetch(e,t))}async*events(e={}){let{after:t,patienceMs:n,signal:r,...i}=e,a=t===void 0?null:String(t),o=new ft(n??6e4);for(;!r?.aborted;){let e=this.#e.request(j.events,i,a),t;try{let n=new pt;for await(let t of this.#r(e,`text/event-stream`,{signal:r})){o.connected();for(let{id:r,data:i}of n.feed(t))a=r??a,i!==null&&(o.received(),yield this.#e.item(e,i))}t=o.pause(this.#e.interrupted(e,`the server ended it`))}catch(e){if(r?.aborted)return;if(!(e instanceof A))throw e;t=o.pause(e)}await Dt(t,r).catch(()=>void 0)}}async*export(e={},t={}){let n=this.#e.request(j.export,e),r=``,i={};for await(let e of this.#r(n,`application/x-ndjson`,t)){let t=(r+e).split(`
`);r=t.pop()??``;for(let e of t)e!==``&&(i=this.#e.item(n,e),yield i)}if(i.type!==`end`)throw this.#e.interrupted(n,`the last record does not mark the end`)}async ask(e,t,n={}){let r=n.timeoutMs??this.#e.timeoutMs,i=performance.now()+r,a=this.#e.request(e,t),o=AbortSignal.timeout(Math.max(0,r)),s=n.signal?AbortSignal.any([o,n.signal]):o;for(let t=0;;t+=1)try{return await this.#n(a,s,o,n.signal,r)}catch(r){if(!(r instanceof A))throw r;let a=this.#e.pause(e,r,t,i-performance.now());if(a===null)throw r;await Dt(a,n.signal)}}async#n(e,t,n,r,i){let a,o;try{a=await this.#t(e.url,{...e.init,signal:t}),o=await a.text()}catch(t){throw r?.throwIfAborted(),this.#e.broken(e,t,n.aborted,i)}return this.#e.meaning(e,a,o)}async*#r(e,t,n){let r=new AbortController,i=new AbortController,a=[r.signal,i.signal,...n.signal?[n.signal]:[]],o=n.timeoutMs??this.#e.timeoutMs,s=setTimeout(()=>i.abort(),o);try{let r;try{if(r=await this.#t(e.url,{...e.init,signal:AbortSignal.any(a)}),r.status!==200)throw this.#e.refusal(e,r,await r.text())}catch(t){throw n.signal?.throwIfAborted(),t instanceof A?t:this.#e.broken(e,t,i.signal.aborted,o)}this.#e.checkStream(e,r,t);let c=r.body?.getReader(),l=new TextDecoder;for(;c;){clearTimeout(s),s=setTimeout(()=>i.abort(),Tt);let t=await c.read().catch(t=>{n.signal?.throwIfAborted();let r=i.signal.aborted?`no more data arrived`:`the connection broke`;throw this.#e.interrupted(e,r,t)});if(t.done)return;clearTimeout(s),yield l.decode(t.value,{stream:!0})}}finally{clearTimeout(s),r.abort()}}};function Dt(e,t){return new Promise((n,r)=>{if(t?.aborted)return r(t.reason);let i=()=>{clearTimeout(a),r(t?.reason)},a=setTimeout(()=>{t?.removeEventListener(`abort`,i),n()},e);t?.addEventListener(`abort`,i,{once:!0})})}var Ot=`griot.key`,kt=`griot.workspace`,M=new class extends EventTarget{constructor(...e){super(...e),this.client=this.#t(),this.#e=null}#e;get workspace(){return sessionStorage.getItem(kt)??``}use(e,t=this.workspace){for(let[n,r]of[[Ot,e],[kt,t]])r===``?sessionStorage.removeItem(n):sessionStorage.setItem(n,r);this.client=this.#t(),this.watch(),this.dispatchEvent(new Event(`connected`))}async request(e,t={}){let n=new Headers(t.headers),r=sessionStorage.getItem(Ot);r&&n.set(`authorization`,`Bearer ${r}`);let i=new URL(e,location.origin);(t.method??`GET`)===`GET`&&this.workspace!==``&&i.searchParams.set(`tenantId`,this.workspace);let a=await fetch(i,{...t,headers:n});if(a.ok||a.status===304)return a;let o=await a.json().catch(()=>null);throw Error([o?.error?.why??a.statusText,o?.error?.hint].filter(Boolean).join(`: `))}watch(){this.#e?.abort();let e=this.#e=new AbortController;(async()=>{for(;!e.signal.aborted;){try{for await(let t of this.client.events({signal:e.signal,patienceMs:6e5}))this.dispatchEvent(new CustomEvent(`changed`,{detail:t}))}catch(e){if(this.dispatchEvent(new CustomEvent(`failed`,{detail:e})),e instanceof A&&[`unauthenticated`,`forbidden`].includes(e.kind))return}await new Promise(e=>setTimeout(e,2e3))}})()}#t(){let e=sessionStorage.getItem(Ot);return new Et({url:location.origin,...e?{apiKey:e}:{},...this.workspace?{workspace:this.workspace}:{}})}},At=2e3,N=class{#e;#t;constructor(e){this.value=null,this.failure=null,this.busy=!1,this.#t=null,this.#e=e,e.addController(this)}hostDisconnected(){this.#t?.abort()}ask(e){return this.#n(e,!0)}send(e){return this.#n(e,!1)}async#n(e,t){this.#t?.abort();let n=this.#t=new AbortController;this.busy=!0,this.#e.requestUpdate();let r=!1;for(;!n.signal.aborted;)try{let t=await e(n.signal);if(n.signal.aborted)return;this.value=t,this.failure=null;break}catch(e){if(n.signal.aborted)return;if(this.failure=e,r||jt(e),!t||!(e instanceof rt))break;r=!0,this.#e.requestUpdate(),await new Promise(e=>setTimeout(e,At))}n.signal.aborted||(this.busy=!1,this.#e.requestUpdate())}forget(){this.#t?.abort(),this.value=null,this.failure=null,this.busy=!1,this.#e.requestUpdate()}};function jt(e){e instanceof A&&(e instanceof rt||e.kind===`unauthenticated`)&&M.dispatchEvent(new CustomEvent(`failed`,{detail:e}))}var Mt=1e3;function Nt(e){let t=!1;return()=>{t||(t=!0,setTimeout(()=>{t=!1,e()},Mt))}}function Pt(e,t){k(e,M,`changed`,Nt(()=>e.isConnected&&t()))}var Ft=[`read`,`write`,`admin`],It=2e3,P=new class extends EventTarget{constructor(){super(),this.status=null,M.addEventListener(`connected`,()=>{this.status=null,this.load()}),M.addEventListener(`changed`,Nt(()=>void this.load())),this.load()}may(e){let t=this.status?.role;return!t||Ft.indexOf(t)>=Ft.indexOf(e)}get isEmpty(){let e=this.status?.counts;return e!==void 0&&e.memories===0&&e.sources===0}async load(){try{this.status=await M.client.status(),this.dispatchEvent(new Event(`told`))}catch(e){jt(e),e instanceof rt&&setTimeout(()=>void this.load(),It)}}};function F(e){k(e,P,`told`,()=>e.requestUpdate())}var Lt=4294967295,Rt=class e{#e;#t;#n;#r;constructor(e,t,n=[]){this.#e=e,this.#t=t,this.#n=n;let r=new TextDecoder().decode(e);this.#r=r.length===e.length?r:null}static of(t){return new e(new Uint8Array,new Uint32Array,t)}get length(){return this.#t.length+this.#n.length}at(e){if(e>=this.#t.length)return this.#n[e-this.#t.length]??``;let t=e===0?0:this.#t[e-1],n=this.#t[e];return this.#r?.slice(t,n)??new TextDecoder().decode(this.#e.subarray(t,n))}and(t){return t.length===0?this:new e(this.#e,this.#t,[...this.#n,...t])}},zt={f32:Float32Array,f64:Float64Array,u8:Uint8Array,u16:Uint16Array,u32:Uint32Array};function Bt(e){let t=e=>{throw Error(`could not read the graph that the server sent: ${e}`)},n=new DataView(e);(e.byteLength<12||new TextDecoder().decode(new Uint8Array(e,0,8))!==`GRIOTG01`)&&t(`it is not in the form GRIOTG01`);let r=n.getUint32(8,!0);12+r>e.byteLength&&t(`it ends within its header`);let i=JSON.parse(new TextDecoder().decode(new Uint8Array(e,12,r))),a=new Map(i.sections.map(e=>[e.name,e]));function o(n,r,i){let o=a.get(n)??t(`it has no section ${n}`),s=zt[r];return o.form!==r&&t(`its section ${n} is ${o.form} in place of ${r}`),i!==void 0&&o.count!==i&&t(`its section ${n} has ${o.count} values`),o.offset+o.count*s.BYTES_PER_ELEMENT>e.byteLength&&t(`it ends within ${n}`),new s(e,o.offset,o.count)}let s=(e,n,r)=>{let i=o(e,`u8`),a=o(n,`u32`,r);for(let n=0,o=0;n<r;o=a[n],n+=1)(a[n]<o||a[n]>i.length)&&t(`the ends of its ${e} are out of order`);return new Rt(i,a)},{nodes:c,edges:l}=i,u={head:i,nodes:c,edges:l,x:o(`x`,`f32`,c).slice(),y:o(`y`,`f32`,c).slice(),type:o(`type`,`u16`,c),community:o(`community`,`u32`,c),source:o(`source`,`u32`,c),degree:o(`degree`,`u32`,c),time:o(`time`,`f64`,c),importance:o(`importance`,`f32`,c),labels:s(`labels`,`label_end`,c),handles:s(`handles`,`handle_end`,c),from:o(`from`,`u32`,l),to:o(`to`,`u32`,l),kind:o(`kind`,`u16`,l),weight:o(`weight`,`f32`,l),confidence:o(`confidence`,`f32`,l),flags:o(`flags`,`u8`,l),from_time:o(`from_time`,`f64`,l),until_time:o(`until_time`,`f64`,l),edgeHandles:s(`edge_handles`,`edge_end`,l)};for(let e=0;e<l;e+=1)(u.from[e]>=c||u.to[e]>=c)&&t(`edge ${e} joins a node that is not there`),u.kind[e]>=i.kinds.length&&t(`edge ${e} is of a kind that is not there`);for(let e=0;e<c;e+=1)Number.isFinite(u.x[e])&&Number.isFinite(u.y[e])||t(`node ${e} has no place`),u.type[e]>=i.types.length&&t(`node ${e} is of a type that is not there`);return u}var Vt=new WeakMap;function I(e,t){return Ht(e).get(t)}function Ht(e){let t=Vt.get(e);if(!t){t=new Map;for(let n=0;n<e.nodes;n+=1)t.set(e.handles.at(n),n);Vt.set(e,t)}return t}function Ut(e,t){let n=e.edgeHandles.at(t);if(n!==``)return n;let r=t=>e.handles.at(t);return`${r(e.from[t])}→${r(e.to[t])}:${e.head.kinds[e.kind[t]]}`}var Wt=new WeakMap;function Gt(e){let t=Wt.get(e);if(!t){t=new Map;for(let n=0;n<e.edges;n+=1)t.set(Ut(e,n),n);Wt.set(e,t)}return t}var Kt=new WeakMap;function qt(e,t){let n=Kt.get(e);if(!n){let t=new Uint32Array(e.nodes+1),r=e=>t[e+1]+=1;for(let t=0;t<e.edges;t+=1)r(e.from[t]),e.to[t]!==e.from[t]&&r(e.to[t]);for(let n=0;n<e.nodes;n+=1)t[n+1]+=t[n];let i=t.slice(0,e.nodes),a=new Uint32Array(t[e.nodes]);for(let t=0;t<e.edges;t+=1){let[n,r]=[e.from[t],e.to[t]];a[i[n]++]=t,r!==n&&(a[i[r]++]=t)}n={start:t,edges:a},Kt.set(e,n)}return n.edges.subarray(n.start[t],n.start[t+1])}var Jt=new WeakMap;function Yt(e){let t=Jt.get(e);return t||(t=new Uint32Array(e.nodes).map((e,t)=>t),t.sort((t,n)=>e.degree[n]-e.degree[t]||t-n),Jt.set(e,t)),t}function Xt(e,t,n){return e.from[t]===n?e.to[t]:e.from[t]}var Zt={head:{revision:0,total_nodes:0,total_edges:0,dim_below:0,layout:`computed`,types:[`memory`],kinds:[],families:[],directed:[],layers:[],sources:[],communities:[]},nodes:0,edges:0,x:new Float32Array,y:new Float32Array,type:new Uint16Array,community:new Uint32Array,source:new Uint32Array,degree:new Uint32Array,time:new Float64Array,importance:new Float32Array,labels:Rt.of([]),handles:Rt.of([]),from:new Uint32Array,to:new Uint32Array,kind:new Uint16Array,weight:new Float32Array,confidence:new Float32Array,flags:new Uint8Array,from_time:new Float64Array,until_time:new Float64Array,edgeHandles:Rt.of([])},Qt={without:new Set,weight:0,confidence:0,evidence:!1,joined:!1,since:null,until:null,known:null,hidden:new Set},$t={selected:null,edge:null,pathNodes:new Set,pathEdges:new Set,pinned:new Set,opened:new Set},en=[`temporal`,`entity`,`causal`,`semantic`],tn=10+en.length,nn=tn+1,rn=nn+1,an=rn+1,on=an+1,sn={entity:0,memory:1,source:2,community:3},cn={file:`code`,module:`code`,function:`code`,type:`code`,external:`code`,repo:`code`,event:`execution`,goal:`project`,task:`project`,memory:`memories`,source:`sources`,community:`communities`};function ln(e){return cn[e]??`knowledge`}var un={memory:9,source:6,community:0,person:0,org:1,tool:2,concept:3,location:4,event:5,file:6,date:7,goal:5,task:1,repo:8,module:8,function:2,type:4,external:8,topic:7,custom:6},dn={code:0,execution:1,project:2,knowledge:3,memories:9,sources:6,communities:4};function fn(e,t,n){let r=e.head.types[e.type[t]]??`custom`;if(n===`type`){let n=r===`community`?e.community[t]%9:un[r]??6;return{filter:`type:${r}`,label:r,colour:n}}if(n===`layer`){let e=ln(r);return{filter:`layer:${e}`,label:e,colour:dn[e]}}let i=e.community[t];if(i===4294967295)return{filter:`community:none`,label:`in none`,colour:9};let a=mn(e).get(i)??`community ${i}`;return{filter:`community:${i}`,label:a,colour:i%9}}var pn=new WeakMap;function mn(e){let t=pn.get(e.head);return t||(t=new Map(e.head.communities.map(e=>[e.id,e.label||`community ${e.id}`])),pn.set(e.head,t)),t}function hn(e,t,n){return e.since!==null&&n<e.since?!1:!(e.until!==null&&t>e.until)}function gn(e,t,n,r,i){let{head:a}=e,o=new Uint8Array(e.nodes*4),s=new Uint8Array(e.edges*4),{without:c}=t,l=a.types.map(e=>c.has(`type:${e}`)||c.has(`layer:${ln(e)}`)),u=a.kinds.map((e,t)=>c.has(`kind:${e}`)||c.has(`family:${a.families[t]}`)||c.has(`edges:${a.layers[t]}`)),d=a.families.map(e=>{let t=en.indexOf(e);return t<0?tn:10+t}),f=a.sources.map(e=>c.has(`source:${e.handle}`)),p=f.some(Boolean),m=[...c].some(e=>e.startsWith(`community:`)),h=a.types.map(e=>sn[e]??sn.entity),g=new Map,_=t.hidden.size>0,v=t.since!==null||t.until!==null,ee=n.pathEdges.size>0,y=new Uint8Array(e.nodes),b=new Uint8Array(e.nodes),x=n.selected!==null||n.edge!==null||n.pathNodes.size>0;for(let n=0;n<e.nodes;n+=1){let i=e.community[n],a=r===`community`||h[e.type[n]]===sn.community?i:-1-e.type[n],s=g.get(a);s===void 0&&g.set(a,s=fn(e,n,r).colour);let u=e.time[n],d=l[e.type[n]]||p&&e.source[n]!==4294967295&&f[e.source[n]]||m&&c.has(`community:${i===4294967295?`none`:i}`)||v&&!hn(t,u,u)||t.known!==null&&u>t.known||_&&t.hidden.has(e.handles.at(n));o[n*4]=s,o[n*4+1]=+!!d,o[n*4+2]=255,o[n*4+3]=h[e.type[n]]}let te=0;for(let r=0;r<e.edges;r+=1){let[a,c]=[e.from[r],e.to[r]],l=e.confidence[r],f=e.flags[r],p=!!(o[a*4+1]&1)||!!(o[c*4+1]&1)||u[e.kind[r]]||e.weight[r]<t.weight||l<t.confidence||t.evidence&&!(f&1)||v&&!hn(t,e.from_time[r],e.until_time[r]),m=ee&&n.pathEdges.has(r),h=n.edge===r,g=n.selected===a||n.selected===c,_=p?1:f&2?32:0;h&&(_|=4),m&&(_|=16),x&&!m&&!h&&!g&&(_|=2),p||(te+=1,y[a]=y[c]=1,(g||h)&&(b[a]=b[c]=1)),s[r*4]=d[e.kind[r]],s[r*4+1]=_;let ne=l>=i?1:Math.max(.2,l/i/2);s[r*4+2]=Math.round(255*ne)}let ne=0;for(let r=0;r<e.nodes;r+=1){let e=r*4+1;t.joined&&y[r]===0&&(o[e]|=1),o[e]&1||(ne+=1,n.selected===r?o[e]|=4:n.pathNodes.has(r)?o[e]|=16:x&&b[r]===0&&(o[e]|=2),n.pinned.has(r)&&(o[e]|=8),n.opened.has(r)&&(o[e]|=64))}return{nodes:o,edges:s,shownNodes:ne,shownEdges:te}}function L(e,t){return!(e.nodes[t*4+1]&1)}function _n(e,t){return!(e.edges[t*4+1]&1)}function vn(e,t){let n=new Map;for(let r=0;r<e.nodes;r+=1){let i=t===`community`?e.community[r]:e.type[r],a=n.get(i);a?a.count+=1:n.set(i,{...fn(e,r,t),count:1})}let r=new Map;for(let e of n.values()){let t=r.get(e.filter);t?t.count+=e.count:r.set(e.filter,e)}return[...r.values()].sort((e,t)=>t.count-e.count||e.label.localeCompare(t.label))}var yn=[`#0072b2`,`#c9540b`,`#00805d`,`#6f4bd8`,`#b3528a`,`#a37500`,`#2a8cc4`,`#7a6a3a`,`#8c3b3b`,`#7d7d8c`,`#a06a00`,`#5a6a8c`,`#c0392b`,`#1f8a70`,`#77778a`,`#5b3fd6`,`#ffffff`,`#1b1b24`],bn=[`#4da3e0`,`#ff8f52`,`#3cc79a`,`#ad9bff`,`#e79bc4`,`#f2b63d`,`#8ccbf2`,`#d8cc8a`,`#e88b8b`,`#9a9aae`,`#e0b040`,`#8fa3cc`,`#ff8a80`,`#5ed0b4`,`#8d8da0`,`#c3b5ff`,`#14141a`,`#ececf3`];function xn(e){return e?bn:yn}function Sn(e){let t=new Float32Array(on*3);return e.forEach((e,n)=>{for(let r=0;r<3;r+=1)t[n*3+r]=parseInt(e.slice(1+r*2,3+r*2),16)/255}),t}function R(e=T().parameters){let[t,n]=[`user`,`project`].map(t=>e.get(t)?.trim());return{...t?{user:t}:{},...n?{project:n}:{}}}function Cn(){let{user:e,project:t}=R();return C`<details class="more" ?open=${e!==void 0||t!==void 0}><summary>Scope</summary>
    <form class="row fields" @submit=${e=>{e.preventDefault();let t=new FormData(e.target);D({user:String(t.get(`user`)).trim(),project:String(t.get(`project`)).trim()},!0)}}>
      <label>User <input name="user" .value=${e??``} size="14" placeholder="any"></label>
      <label>Project <input name="project" .value=${t??``} size="14" placeholder="any"></label>
      <button>Show</button>
    </form>
  </details>`}var wn=86400,Tn=[`type`,`layer`,`community`];function En(e){let t=t=>Math.min(1,Math.max(0,Number(e.get(t))||0)),n=t=>{let n=Date.parse(e.get(t)??``)/1e3;return Number.isFinite(n)?n:null},r=n(`as_of`),i=e.get(`community`);return{around:e.getAll(`around`),depth:Math.min(4,Math.max(1,Math.round(Number(e.get(`depth`))||1))),source:e.get(`source`)??``,community:i!==null&&/^\d+$/.test(i)?Number(i):null,whole:e.get(`whole`)===`1`,asOf:e.get(`as_of`)??``,scope:R(e),selected:e.get(`sel`)??``,edge:e.get(`edge`)??``,opened:e.getAll(`open`),pinned:new Map(e.getAll(`pin`).flatMap(e=>On(e))),pathFrom:e.get(`from`)??``,pathTo:e.get(`to`)??``,colouring:Tn.find(t=>t===e.get(`colour`))??`type`,table:e.get(`table`)===`1`,filters:{without:new Set(e.getAll(`no`)),weight:t(`weight`),confidence:t(`confidence`),evidence:e.get(`evidence`)===`1`,joined:e.get(`joined`)===`1`,since:n(`since`),until:n(`until`),known:r===null?null:r+wn-1,hidden:new Set(e.getAll(`hide`))}}}function Dn(e,t){return`${Math.round(t.x*10)/10},${Math.round(t.y*10)/10},${e}`}function On(e){let t=/^(-?[\d.]+),(-?[\d.]+),(.+)$/s.exec(e),n={x:Number(t?.[1]),y:Number(t?.[2])};return t&&Number.isFinite(n.x)&&Number.isFinite(n.y)?[[t[3],n]]:[]}function kn(e){return e.around.length>0||e.source!==``||e.community!==null}function An(e,t,n){let r=new URLSearchParams({around:t,depth:`1`,limit:String(n),...e.scope});return e.asOf!==``&&r.set(`as_of`,e.asOf),`/v1/graph?${r}`}function jn(e,t){let n=new URLSearchParams;for(let t of e.around)n.append(`around`,t);e.around.length>0&&n.set(`depth`,String(e.depth)),e.source!==``&&n.set(`source`,e.source),e.community!==null&&n.set(`community`,String(e.community)),t&&n.set(`communities`,`true`),e.asOf!==``&&n.set(`as_of`,e.asOf);for(let[t,r]of Object.entries(e.scope))n.set(t,r);let r=n.toString();return`/v1/graph${r===``?``:`?${r}`}`}var Mn=[`around`,`depth`,`source`,`community`,`whole`,`open`,`hide`,`pin`,`from`,`to`,`sel`,`edge`];function Nn(e){D({...Object.fromEntries(Mn.map(e=>[e,void 0])),...e},!0)}function Pn(e,t){let n=new Set(e);return n.delete(t)||n.add(t),[...n]}function z(e){let t=typeof e==`number`?new Date(e*1e3):new Date(e??NaN);return Number.isNaN(t.getTime())?``:t.toLocaleDateString(`en-GB`,{year:`numeric`,month:`short`,day:`numeric`})}function B(e){return`${Math.round(e*100)} %`}function V(e){return e.replace(/^relation:/,``).replaceAll(`_`,` `)}var Fn={type:`Types`,layer:`Layers`,community:`Communities`},In=12,Ln=200,Rn=160;function zn(e,t){let{head:n}=e,r=(e,t)=>{let n=Array(e).fill(0);for(let r of t)r<e&&(n[r]+=1);return n},i=r(n.kinds.length,e.kind),a=r(n.sources.length,e.source),o=r(n.types.length,e.type),s=(e,t,n)=>{let r=new Map;return e.forEach((e,n)=>r.set(e,(r.get(e)??0)+t[n])),[...r].flatMap(([e,t])=>t===0?[]:[{filter:`${n}:${e}`,label:e,count:t}])},c=(e,t)=>t.count-e.count||e.label.localeCompare(t.label),[l,u]=[1/0,-1/0];for(let t of e.time)t<l&&(l=t),t>u&&(u=t);return{groups:vn(e,t),kinds:s(n.kinds,i,`kind`).sort(c),families:s(n.families,i,`family`).sort(c).map(e=>{let t=en.indexOf(e.label);return{...e,colour:t<0?tn:10+t}}),layers:s(n.types.map(ln),o,`layer`).sort(c),edgeLayers:s(n.layers,i,`edges`).sort(c),sources:n.sources.map(({handle:e,name:t},n)=>({filter:`source:${e}`,label:t||e,count:a[n]})).filter(({count:e})=>e>0).sort(c),times:l<u?[l,u]:null}}function Bn(e,{groups:t},n){return C`
    <label class="inline">Colour by
      <select @change=${e=>D({colour:e.target.value})}>
        ${[`type`,`layer`,`community`].map(t=>C`<option value=${t} ?selected=${t===e.colouring}>${t}</option>`)}
      </select>
    </label>
    ${Yn(Fn[e.colouring],e,t.map(e=>({...e,form:Vn(e.filter)})),n)}
  `}function Vn(e){return e===`type:memory`||e===`layer:memories`?`square`:e===`type:source`||e===`layer:sources`?`diamond`:`disc`}function Hn(e,t,n){let{filters:r}=e,i=e=>{let{value:t}=e.target;return t===`0`?void 0:t},a=(e,t)=>C`
    <label>${t} <span class="quiet">${B(r[e])}</span>
      <input type="range" min="0" max="1" step="0.05" .value=${String(r[e])}
        @input=${t=>qn({[e]:i(t)})}>
    </label>`,o=(e,t)=>C`
    <label class="inline"><input type="checkbox" .checked=${r[e]}
      @change=${()=>D({[e]:r[e]?void 0:`1`})}>${t}</label>`;return C`
    ${t.times?Jn(e,t.times):w}
    <label>As of <input type="date" .value=${e.asOf} max="9999-12-31"
      @change=${e=>D({as_of:e.target.value},!0)}></label>
    <p class="quiet">What came later is hidden, and edges are as they held on that day.</p>
    ${Yn(`Families of edges`,e,t.families,n)}
    ${Yn(`Kinds of edges`,e,t.kinds,n)}
    ${e.colouring===`layer`?w:Yn(`Layers`,e,t.layers,n)}
    ${t.edgeLayers.length>1?Yn(`Layers of edges`,e,t.edgeLayers,n):w}
    ${Yn(`Sources`,e,t.sources,n)}
    ${a(`weight`,`Weight at least`)}
    ${a(`confidence`,`Confidence at least`)}
    ${o(`evidence`,`Only edges with evidence`)}
    ${o(`joined`,`Only nodes with an edge shown`)}
    <button ?disabled=${!Wn(e)} @click=${Gn}>Clear all filters</button>
  `}var Un=[`no`,`weight`,`confidence`,`evidence`,`joined`,`since`,`until`,`hide`,`as_of`];function Wn({filters:e,asOf:t}){return e.without.size+e.hidden.size>0||e.weight>0||e.confidence>0||e.evidence||e.joined||e.since!==null||e.until!==null||t!==``}function Gn(){D(Object.fromEntries(Un.map(e=>[e,void 0])),!0)}var Kn={changes:{}};function qn(e){Object.assign(Kn.changes,e),Kn.timer??=setTimeout(()=>{delete Kn.timer,D(Kn.changes),Kn.changes={}},Rn)}function Jn(e,[t,n]){let r=Math.max(1,Math.round((n-t)/300)),{since:i,until:a}=e.filters,o=i??t,s=a??n,c=e=>new Date(e*1e3).toISOString().slice(0,19)+`Z`,l=e=>{let[i,a]=[...e.target.closest(`fieldset`).querySelectorAll(`input`)].map(e=>Number(e.value)),[o,s]=[Math.min(i,a),Math.max(i,a)];qn({since:o<=t?void 0:c(o),until:s>=n-r?void 0:c(s)})},u=(e,i)=>C`
    <input type="range" min=${t} max=${n} step=${r} .value=${String(e)} aria-label=${i}
      aria-valuetext=${z(e)} @input=${l}>`;return C`
    <fieldset>
      <legend>Time <span class="quiet">${z(o)} – ${z(s)}</span></legend>
      ${u(o,`Not before`)}${u(s,`Not after`)}
    </fieldset>`}function Yn(e,t,n,r){if(n.length===0)return w;let i=n.slice(0,Ln),{without:a}=t.filters,o=xn(r),s=i.map(e=>C`
    <div class="entry"><label class="inline grow">
      <input type="checkbox" .checked=${!a.has(e.filter)}
        @change=${()=>D({no:Pn(a,e.filter)})}>
      ${e.colour===void 0?w:Xn(o[e.colour],e.form??`line`)}
      <span class="clip grow" dir="auto" title=${e.label}>${V(e.label)}</span>
      <span class="quiet">${e.count.toLocaleString(`en`)}</span></label>
      ${i.length>1?C`<button class="link only" aria-label=${`Only ${e.label}`}
        @click=${()=>{let t=i.filter(t=>t!==e).map(e=>e.filter),n=[...a].filter(e=>!i.some(t=>t.filter===e));D({no:t.every(e=>a.has(e))&&!a.has(e.filter)?n:[...n,...t]})}}>only</button>`:w}
    </div>`);return C`
    <fieldset class="entries">
      <legend>${e}</legend>
      ${s.slice(0,In)}
      ${s.length>In?C`
        <details><summary>${(n.length-In).toLocaleString(`en`)} more</summary>${s.slice(In)}
          ${n.length>Ln?C`<p class="quiet">The largest ${Ln} are listed.</p>`:w}
        </details>`:w}
    </fieldset>`}function Xn(e,t){return C`<svg viewBox="0 0 12 12" class="swatch" aria-hidden="true">${{square:Se`<rect x="1" y="1" width="10" height="10" rx="3" fill=${e}></rect>`,diamond:Se`<path d="M6 0 12 6 6 12 0 6z" fill=${e}></path>`,line:Se`<rect y="4.5" width="12" height="3" fill=${e}></rect>`,disc:Se`<circle cx="6" cy="6" r="5.5" fill=${e}></circle>`}[t]}</svg>`}function H(e){if(e==null)return w;let{why:t,hint:n}=Zn(e);return C`<p class="told" role="alert"><strong class="bad">${t}</strong>${n?C` <span class="quiet">${n}</span>`:w}</p>`}function Zn(e){if(e instanceof A){let t=`Could not ${e.what}: ${e.why}.`;return e.kind===`forbidden`?{why:t,hint:e.hint??`The key of this tab may not do this.`}:{why:t,hint:e.hint}}return{why:e instanceof Error?e.message:String(e),hint:null}}function U(e){let{why:t,hint:n}=Zn(e);return[t,n].filter(Boolean).join(` `)}function W(e){let t=new Date(e);if(Number.isNaN(t.getTime()))return e;let n=e.includes(`T00:00:00`);return t.toLocaleString(void 0,{year:`numeric`,month:`short`,day:`numeric`,timeZone:`UTC`,...n?{}:{hour:`2-digit`,minute:`2-digit`}})}function G(e){return e===null?w:C`<time datetime=${e} title=${e}>${W(e)}</time>`}function K(e,t,n=`${t}s`){return`${e.toLocaleString(`en`)} ${e===1?t:n}`}function Qn(e){if(e<60)return`${Math.max(1,Math.round(e))} s`;let t=Math.round(e/60);return t<60?`${t} min`:`${Math.floor(t/60)} h ${t%60} min`}function $n(e){return`${(e*100).toLocaleString(void 0,{maximumFractionDigits:1})} %`}var er=180,tr=150;async function nr(e,t,n){let[r,i]=await Promise.all([M.client.entities({search:e,limit:8,...R()},{signal:n}),t||e.length<3?null:M.client.recall({query:e,limit:5,no_rules:!0,...R()},{signal:n})]);return[...r.map(({entity:e,degree:t})=>({handle:e.id,label:e.name,about:`${e.type}, ${t.toLocaleString(`en`)} edges`})),...(i?.results??[]).map(e=>({handle:e.handle,label:e.text.slice(0,120),about:`memory ${e.handle}`}))]}var rr=0,ir=class extends O{static{this.properties={label:{},placeholder:{},value:{},keep:{type:Boolean},entities:{type:Boolean},found:{state:!0},at:{state:!0},why:{state:!0}}}#e=`search-${rr+=1}`;#t;#n=new AbortController;#r=!1;constructor(){super(),this.label=this.placeholder=this.value=this.why=``,this.keep=this.entities=!1,this.found=null,this.at=-1}render(){let e=this.found!==null,t=(e,t)=>C`<li class=${e} role="option" aria-selected="false">${t}</li>`,n=e=>`${this.#e}-${e}`;return C`
      <input type="search" role="combobox" autocomplete="off" spellcheck="false" aria-label=${this.label}
        placeholder=${this.placeholder} .value=${this.value} aria-expanded=${e?`true`:`false`}
        aria-controls=${this.#e} aria-activedescendant=${this.at>=0?n(this.at):w}
        @input=${this.#o} @keydown=${this.#c} @blur=${()=>setTimeout(this.#i,tr)}>
      <ul id=${this.#e} role="listbox" class="suggestions" aria-label="Suggestions"
        ?hidden=${!e&&this.why===``}>
        ${(this.found??[]).map((e,t)=>C`
          <li id=${n(t)} role="option" aria-selected=${t===this.at?`true`:`false`}
            @pointerdown=${t=>{t.preventDefault(),this.#l(e)}}>
            <span class="clip" dir="auto">${e.label}</span><span class="quiet">${e.about}</span>
          </li>`)}
        ${this.found?.length===0?t(`quiet`,`Nothing found.`):w}
        ${this.why===``?w:t(`bad`,this.why)}
      </ul>
    `}#i=()=>{this.#r||this.#a()};#a(){this.#r=!1,clearTimeout(this.#t),this.#n.abort(),this.found=null,this.at=-1,this.why=``}#o=e=>{this.#r=!1,this.value=e.target.value,clearTimeout(this.#t),this.#n.abort();let t=this.value.trim();if(t===``){this.#a(),this.keep&&this.dispatchEvent(new CustomEvent(`chosen`,{detail:null}));return}let n=this.#n=new AbortController;this.#t=setTimeout(()=>void this.#s(t,n.signal),er)};async#s(e,t){try{let n=await nr(e,this.entities,t);if(t.aborted)return;this.found=n,this.at=n.length>0?0:-1,this.why=``,this.#r&&n[0]&&this.#l(n[0])}catch(e){if(t.aborted)return;this.found=null,this.why=U(e)}}#c=e=>{let t=(this.found?.length??0)-1;if(e.key===`ArrowDown`)this.at=Math.min(t,this.at+1);else if(e.key===`ArrowUp`)this.at=Math.max(0,this.at-1);else if(e.key===`Escape`)this.#a();else if(e.key===`Enter`){let e=this.found?.[this.at];e?this.#l(e):this.#r=!0}else return;e.preventDefault()};#l(e){this.#a(),this.value=this.keep?e.label:``,this.dispatchEvent(new CustomEvent(`chosen`,{detail:e}))}};customElements.define(`griot-graph-search`,ir);function ar(e){let{view:t,large:n,drawn:r}=e;return C`
    <div class="explorer-bar">
      <button aria-pressed=${e.side?`true`:`false`} @click=${e.toggleSide}>
        Filters${Wn(t)?C` <span class="dot" role="img" aria-label="some are set">●</span>`:``}
      </button>
      <griot-graph-search .label=${`Search`} .placeholder=${`Search for a thing or a memory…`}
        @chosen=${({detail:e})=>Nn({around:e.handle,sel:e.handle})}>
      </griot-graph-search>
      ${t.around.length>0?or(t.depth):w}
      ${kn(t)||t.whole&&n?C`<button @click=${()=>Nn({})}>${n?`Communities`:`Whole graph`}</button>`:w}
      ${n&&!t.whole?C`<button @click=${()=>Nn({whole:`1`})}>Whole graph</button>`:``}
      <span class="quiet explorer-count" ?hidden=${!e.loaded}>${sr(e)}</span>
      <span class="row explorer-tools">
        <button aria-label="Zoom in" ?disabled=${!r} @click=${()=>e.zoom(1.4)}>+</button>
        <button aria-label="Zoom out" ?disabled=${!r} @click=${()=>e.zoom(1/1.4)}>−</button>
        <button ?disabled=${!r} @click=${e.fit}>Fit</button>
        <button aria-pressed=${t.table?`true`:`false`}
          @click=${()=>D({table:t.table?void 0:`1`})}>Table</button>
        ${cr(e)}
      </span>
    </div>
  `}function or(e){return C`
    <label class="inline">Steps <span>${e}</span>
      <input type="range" min="1" max="4" .value=${String(e)} aria-label="Steps around it" @change=${e=>D({depth:e.target.value})}>
    </label>`}function sr({view:e,graph:t,shade:n}){let r=(e,t)=>e===t?``:`${e.toLocaleString(`en`)} of `,i=t.head.total_nodes;return C`${r(n.shownNodes,t.nodes)}${K(t.nodes,`node`)},
    ${r(n.shownEdges,t.edges)}${K(t.edges,`edge`)}
    ${!kn(e)&&i>t.nodes?C`· <span title="The best connected are shown">${K(i,`node`)} in all</span>`:w}`}function cr({drawn:e,save:t}){return C`
    <select aria-label="Save what is seen" @change=${e=>{let n=e.target;t(n.value),n.value=``}}>
      <option value="" selected>Save as…</option>
      ${e?C`<option value="png">PNG image</option>`:w}
      <option value="json">JSON</option>
      <option value="graphml">GraphML</option>
      <option value="nodes">CSV of nodes</option>
      <option value="edges">CSV of edges</option>
    </select>`}function lr(e,t,n){return{x:(n.x-e.x)*e.scale+t.width/2,y:(n.y-e.y)*e.scale+t.height/2}}function ur(e,t,n){return{x:(n.x-t.width/2)/e.scale+e.x,y:(n.y-t.height/2)/e.scale+e.y}}function dr(e,t,n){return{...e,x:e.x-t/e.scale,y:e.y-n/e.scale}}function fr(e,t,n,r,i){let a=Math.min(i[1],Math.max(i[0],e.scale*r)),o=ur(e,t,n);return{x:o.x-(n.x-t.width/2)/a,y:o.y-(n.y-t.height/2)/a,scale:a}}function pr(e,t,n=40,r=1/0){let i=Math.max(e.right-e.left,1e-6),a=Math.max(e.bottom-e.top,1e-6),o=e=>Math.max(e-2*n,e/4,1);return{x:(e.left+e.right)/2,y:(e.top+e.bottom)/2,scale:Math.min(o(t.width)/i,o(t.height)/a,r)}}function mr(e,t,n=()=>!0){let r={left:1/0,top:1/0,right:-1/0,bottom:-1/0};for(let i=0;i<e.length;i+=1)n(i)&&(r.left=Math.min(r.left,e[i]),r.right=Math.max(r.right,e[i]),r.top=Math.min(r.top,t[i]),r.bottom=Math.max(r.bottom,t[i]));return r.left<=r.right?r:null}function hr(e,t){let n=ur(e,t,{x:0,y:0}),r=ur(e,t,{x:t.width,y:t.height});return{left:n.x,top:n.y,right:r.x,bottom:r.y}}var gr=1024;function _r(e,t,n){let r=e*t*(.075+.035*Math.log2(1+n));return Math.min(34,Math.max(1.4+.35*Math.log2(1+n),r))}var vr=`#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform highp sampler2D places;
uniform usampler2D states;
uniform vec2 size;
uniform vec3 camera;
uniform float unit;
uniform vec3 palette[${on}];
ivec2 texel(int at) { return ivec2(at % ${gr}, at / ${gr}); }
/** Pixels from the middle, and the number of edges. */
vec3 node(int at) {
  vec4 told = texelFetch(places, texel(at), 0);
  return vec3((told.xy - camera.xy) * camera.z, told.z);
}
/** Two triangles: corners 0 1 2 and 2 1 3. */
int corner(int vertex) { return vertex < 3 ? vertex : vertex == 3 ? 2 : vertex == 4 ? 1 : 3; }
vec4 position(vec2 at, float depth) { return vec4(at.x / size.x * 2.0, -at.y / size.y * 2.0, depth, 1.0); }
float radius(float degree) {
  float grown = unit * camera.z * (0.075 + 0.035 * log2(1.0 + degree));
  return min(34.0, max(1.4 + 0.35 * log2(1.0 + degree), grown));
}
`,yr=`${vr}
out vec2 at;
flat out vec3 colour;
flat out uvec4 state;
flat out float reach;
void main() {
  int number = gl_VertexID / 6;
  state = texelFetch(states, texel(number), 0);
  vec3 told = node(number);
  int place = corner(gl_VertexID % 6);
  reach = radius(told.z);
  if ((state.y & 20u) != 0u) reach = max(reach, 5.0);
  // The square leaves room for the soft border, and for the ring of what is marked.
  float room = reach * 1.1 + ((state.y & 28u) != 0u ? 6.0 : 1.0);
  at = (vec2(place & 1, place >> 1) * 2.0 - 1.0) * room;
  colour = palette[state.x];
  vec2 middle = told.xy;
  bool gone = (state.y & 1u) != 0u
    || abs(middle.x) > size.x * 0.5 + room || abs(middle.y) > size.y * 0.5 + room;
  gl_Position = gone ? vec4(2.0, 2.0, 2.0, 1.0) : position(middle + at, 0.0);
}`,br=`${vr}
in vec2 at;
flat in vec3 colour;
flat in uvec4 state;
flat in float reach;
out vec4 result;
float away() {
  if (state.w == 1u) {
    vec2 corner = abs(at) - reach * 0.55;
    return length(max(corner, 0.0)) + min(max(corner.x, corner.y), 0.0) - reach * 0.3;
  }
  if (state.w == 2u) return (abs(at.x) + abs(at.y)) * 0.7071 - reach * 0.8;
  return length(at) - reach;
}
void main() {
  float outside = away();
  float inside = clamp(0.5 - outside, 0.0, 1.0);
  vec3 ground = palette[${rn}];
  vec3 shown = colour;
  // A thin line of the ground's colour keeps nodes apart that overlap; a community is a ring.
  if (reach > 4.0) shown = mix(shown, ground, clamp(outside + 1.5, 0.0, 1.0) * 0.7);
  if (state.w == 3u && outside < -reach * 0.3) shown = mix(shown, ground, 0.55);
  if ((state.y & 64u) != 0u && length(at) < reach * 0.35) shown = ground;
  float strength = inside;
  if ((state.y & 2u) != 0u) strength *= 0.22;
  if ((state.y & 28u) != 0u) {
    bool thin = (state.y & 20u) == 0u;
    float ring = 1.0 - clamp(abs(outside - 3.0) - (thin ? 0.2 : 0.9), 0.0, 1.0);
    shown = mix(shown, thin ? colour : palette[${nn}], ring);
    strength = max(strength, ring);
  }
  if (strength <= 0.0) discard;
  result = vec4(shown * strength, strength);
}`,xr=`${vr}
uniform highp usampler2D joints;
uniform float crowd;
/** How many vertices each edge has: 2 for a line of one pixel, 6 for one with a width, 9 with an arrow. */
uniform int parts;
/** Draws only what is marked. */
uniform bool only_marked;
flat out vec4 colour;
flat out float dashes;
out float run;
out float side;
flat out float half_width;
float thickness(bool marked, float weight) {
  // Thinner where nodes are close together on the screen.
  return marked ? 2.4 + weight * 2.0 : 0.7 + weight * 2.3 * clamp(unit * camera.z / 50.0, 0.15, 1.0);
}
void main() {
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  int number = gl_VertexID / parts;
  int vertex = gl_VertexID % parts;
  uvec4 state = texelFetch(states, texel(number), 0);
  bool marked = (state.y & 20u) != 0u;
  if ((state.y & 1u) != 0u || (only_marked && !marked)) return;
  uvec4 joint = texelFetch(joints, texel(number), 0);
  // Weight, direction and lane in one number, a byte each.
  float weight = float(joint.z & 255u) / 255.0;
  bool directed = (joint.z & 256u) != 0u;
  vec2 a = node(int(joint.x)).xy;
  vec3 target = node(int(joint.y));
  vec2 b = target.xy;
  vec2 ahead = b - a;
  float span = length(ahead);
  vec2 half_size = size * 0.5;
  bool gone = span < 0.5
    || max(a.x, b.x) < -half_size.x || min(a.x, b.x) > half_size.x
    || max(a.y, b.y) < -half_size.y || min(a.y, b.y) > half_size.y;
  if (gone) return;
  ahead /= span;
  vec2 across = vec2(-ahead.y, ahead.x);
  float shift = (float(joint.z >> 16) - 128.0) * ${5 .toFixed(1)};
  a += across * shift;
  b += across * shift;
  float stop = radius(target.z);
  float width = thickness(marked, weight);
  float head = parts == 9 && directed && span > stop + 14.0 ? min(10.0, 5.0 + width * 1.5) : 0.0;
  float strength = float(state.z) / 255.0 * (marked ? 1.0 : crowd);
  if ((state.y & 2u) != 0u) strength *= 0.12;
  colour = vec4(marked ? palette[${nn}] : palette[state.x], strength);
  dashes = (state.y & 32u) != 0u ? 1.0 : 0.0;
  half_width = width * 0.5;
  float end = head > 0.0 ? max(span - stop - head, 0.0) : span;
  if (parts == 2) {
    // A line of one pixel shows its width by its strength.
    run = vertex == 0 ? 0.0 : span;
    side = 0.0;
    colour.a *= min(1.0, width);
    half_width = 1.0;
    gl_Position = position(a + ahead * run, 0.0);
  } else if (vertex < 6) {
    int place = corner(vertex);
    run = (place & 1) == 0 ? 0.0 : end;
    side = ((place >> 1) == 0 ? -1.0 : 1.0) * (half_width + 1.0);
    gl_Position = position(a + ahead * run + across * side, 0.0);
  } else if (head > 0.0) {
    int place = vertex - 6;
    run = 0.0;
    side = 0.0;
    dashes = 0.0;
    colour.a = min(1.0, colour.a * 1.5);
    vec2 tip = a + ahead * (span - stop);
    vec2 point = place == 0 ? tip : tip - ahead * head + across * (place == 1 ? -1.0 : 1.0) * head * 0.45;
    gl_Position = position(point, 0.0);
  }
}`,Sr=`#version 300 es
precision highp float;
flat in vec4 colour;
flat in float dashes;
flat in float half_width;
in float run;
in float side;
out vec4 result;
void main() {
  float strength = colour.a * clamp(half_width + 0.5 - abs(side), 0.0, 1.0);
  if (dashes > 0.5 && mod(run, 9.0) > 5.0) discard;
  result = vec4(colour.rgb * strength, strength);
}`;function Cr(e){let t=new Int8Array(e.edges),n=new Map;for(let r=0;r<e.edges;r+=1){let[i,a]=[e.from[r],e.to[r]],o=Math.min(i,a)*e.nodes+Math.max(i,a),s=n.get(o)??0;if(n.set(o,s+1),s===0)continue;let c=Math.min(20,s+1>>1)*(s%2==1?1:-1);t[r]=i<a?c:-c}return t}function wr(e){if(e.nodes<2)return 100;let t=Math.floor(e.nodes/20),n=n=>{let r=n.slice().sort();return r[e.nodes-1-t]-r[t]},[r,i]=[n(e.x),n(e.y)],a=Math.max(r,i/4)*Math.max(i,r/4);return Math.sqrt(a/(e.nodes-2*t))||100}var Tr=class{#e;#t;#n;#r;#i={nodes:0,edges:0,shown:0};#a=100;#o=!1;#s=new Uint32Array;constructor(e){let t=e.getContext(`webgl2`,{antialias:!1,alpha:!1,powerPreference:`low-power`});if(!t)throw Error(`this browser offers no WebGL2`);this.#e=t,this.#t=this.#u(yr,br),this.#n=this.#u(xr,Sr);let n=()=>{let e=t.createTexture();t.bindTexture(t.TEXTURE_2D,e);for(let e of[t.TEXTURE_MIN_FILTER,t.TEXTURE_MAG_FILTER])t.texParameteri(t.TEXTURE_2D,e,t.NEAREST);for(let e of[t.TEXTURE_WRAP_S,t.TEXTURE_WRAP_T])t.texParameteri(t.TEXTURE_2D,e,t.CLAMP_TO_EDGE);return e};this.#r={places:n(),joints:n(),nodes:n(),edges:n()},t.enable(t.BLEND),t.blendFunc(t.ONE,t.ONE_MINUS_SRC_ALPHA),t.pixelStorei(t.UNPACK_ALIGNMENT,1)}load(e,t){let n=this.#e;this.#i={nodes:e.nodes,edges:e.edges,shown:e.edges},this.#a=t,this.#s=e.degree;let r=new Uint32Array(e.edges*4),i=Cr(e);for(let t=0;t<e.edges;t+=1){r[t*4]=e.from[t],r[t*4+1]=e.to[t];let n=Math.round(Math.min(1,Math.max(0,e.weight[t]))*255);r[t*4+2]=n|(e.head.directed[e.kind[t]]?256:0)|128+i[t]<<16}let a=new Float32Array(e.nodes*4);for(let t=0;t<e.nodes;t+=1)a[t*4]=e.x[t],a[t*4+1]=e.y[t],a[t*4+2]=e.degree[t];this.#l(this.#r.places,a,n.RGBA32F,n.RGBA,n.FLOAT),this.#l(this.#r.joints,r,n.RGBA32UI,n.RGBA_INTEGER,n.UNSIGNED_INT)}move(e,t,n){let r=this.#e;r.bindTexture(r.TEXTURE_2D,this.#r.places);let[i,a]=[e%gr,Math.floor(e/gr)],o=new Float32Array([t,n,this.#s[e],0]);r.texSubImage2D(r.TEXTURE_2D,0,i,a,1,1,r.RGBA,r.FLOAT,o)}shade(e){let t=this.#e;this.#i.shown=e.shownEdges,this.#o=e.edges.some((e,t)=>t%4==1&&!!(e&20)),this.#l(this.#r.nodes,e.nodes,t.RGBA8UI,t.RGBA_INTEGER,t.UNSIGNED_BYTE),this.#l(this.#r.edges,e.edges,t.RGBA8UI,t.RGBA_INTEGER,t.UNSIGNED_BYTE)}colours(e){let t=this.#e;for(let n of[this.#t,this.#n])t.useProgram(n.program),t.uniform3fv(n.uniforms[`palette[0]`],e);t.clearColor(e[rn*3],e[rn*3+1],e[rn*3+2],1)}frame(e,t,n){let r=this.#e;r.viewport(0,0,Math.round(t.width*n),Math.round(t.height*n)),r.clear(r.COLOR_BUFFER_BIT);let i=this.#a*e.scale,a=Math.min(.75,Math.max(.06,i/50*Math.sqrt(1e3/Math.max(1,this.#i.shown))));if(this.#i.edges>0){this.#c(this.#n,e,t,this.#r.edges),r.activeTexture(r.TEXTURE2),r.bindTexture(r.TEXTURE_2D,this.#r.joints),r.uniform1i(this.#n.uniforms.joints,2),r.uniform1f(this.#n.uniforms.crowd,a);let n=(e,t)=>{r.uniform1i(this.#n.uniforms.parts,e),r.uniform1i(this.#n.uniforms.only_marked,+!!t),r.drawArrays(e===2?r.LINES:r.TRIANGLES,0,e*this.#i.edges)},o=i<12;n(o?2:9,!1),o&&this.#o&&n(6,!0)}this.#i.nodes>0&&(this.#c(this.#t,e,t,this.#r.nodes),r.drawArrays(r.TRIANGLES,0,6*this.#i.nodes)),r.activeTexture(r.TEXTURE0)}free(){this.#e.getExtension(`WEBGL_lose_context`)?.loseContext()}#c(e,t,n,r){let i=this.#e;i.useProgram(e.program),i.activeTexture(i.TEXTURE0),i.bindTexture(i.TEXTURE_2D,this.#r.places),i.activeTexture(i.TEXTURE1),i.bindTexture(i.TEXTURE_2D,r),i.uniform1i(e.uniforms.places,0),i.uniform1i(e.uniforms.states,1),i.uniform2f(e.uniforms.size,n.width,n.height),i.uniform3f(e.uniforms.camera,t.x,t.y,t.scale),i.uniform1f(e.uniforms.unit,this.#a)}#l(e,t,n,r,i){let a=this.#e,o=Math.max(1,Math.ceil(t.length/4/gr)),s=new t.constructor(o*gr*4);s.set(t),a.activeTexture(a.TEXTURE0),a.bindTexture(a.TEXTURE_2D,e),a.texImage2D(a.TEXTURE_2D,0,n,gr,o,0,r,i,s)}#u(e,t){let n=this.#e,r=n.createProgram(),i=[[n.VERTEX_SHADER,e],[n.FRAGMENT_SHADER,t]].map(([e,t])=>{let i=n.createShader(e);if(!i)throw Error(`the graphics of this browser stopped`);return n.shaderSource(i,t),n.compileShader(i),n.attachShader(r,i),i});if(n.linkProgram(r),!n.getProgramParameter(r,n.LINK_STATUS)){let e=i.map(e=>n.getShaderInfoLog(e)).filter(Boolean).join(` `);throw Error(`this browser's WebGL2 does not take the drawing: ${e||n.getProgramInfoLog(r)}`)}for(let e of i)n.deleteShader(e);let a={};for(let e of[`places`,`states`,`size`,`camera`,`unit`,`palette[0]`,`joints`,`crowd`,`parts`,`only_marked`])a[e]=n.getUniformLocation(r,e);return{program:r,uniforms:a}}};function Er(e,t,n){let r=Ht(e),i={...e.head,types:[...e.head.types],kinds:[...e.head.kinds],families:[...e.head.families],directed:[...e.head.directed],layers:[...e.head.layers],sources:[...e.head.sources],communities:[...e.head.communities]},a=wr(e),o=new Map,s=new Set,c=[],l=[],u=t.length>0?Gt(e):new Map,d=e=>r.get(e)??o.get(e),f=e.x.slice(),p=e.y.slice();for(let[e,t]of r){let r=n(e);r&&([f[t],p[t]]=[r.x,r.y])}let m=t=>t<e.nodes?{x:f[t],y:p[t]}:c[t-e.nodes].at;for(let{anchor:r,graph:h}of t){let t=r===null?void 0:d(r);if(r!==null&&t===void 0)continue;let g=r===null?void 0:Ht(h).get(r),_=g===void 0?Or(h):{x:h.x[g],y:h.y[g]},v=[];for(let e=0;e<h.nodes;e+=1)d(h.handles.at(e))===void 0&&v.push(e);let ee=e=>Math.hypot(h.x[e]-_.x,h.y[e]-_.y),y=v.reduce((e,t)=>Math.max(e,ee(t)),0),b=a*(.9+.4*Math.sqrt(v.length)),x=t===void 0?kr(f,p,b+a):m(t);v.forEach((t,r)=>{let i=h.handles.at(t),a=r*2.399963,s=Math.sqrt((r+1)/v.length),l=y>0?{x:(h.x[t]-_.x)/y*b,y:(h.y[t]-_.y)/y*b}:{x:Math.cos(a)*b*s,y:Math.sin(a)*b*s};o.set(i,e.nodes+c.length),c.push({of:h,node:t,at:n(i)??{x:x.x+l.x,y:x.y+l.y}})});let te=h.head.kinds.map((e,t)=>{let n=i.kinds.indexOf(e);return n>=0?n:(i.families.push(h.head.families[t]),i.directed.push(h.head.directed[t]),i.layers.push(h.head.layers[t]),i.kinds.push(e)-1)});for(let e=0;e<h.edges;e+=1){let t=Ut(h,e);if(u.has(t)||s.has(t))continue;let n=d(h.handles.at(h.from[e])),r=d(h.handles.at(h.to[e]));s.add(t),l.push({of:h,edge:e,from:n,to:r,kind:te[h.kind[e]]})}for(let e of h.head.communities)i.communities.some(t=>t.id===e.id)||i.communities.push(e)}return{head:i,nodes:e.nodes+c.length,edges:e.edges+l.length,x:q(f,Float32Array.from(c,({at:e})=>e.x)),y:q(p,Float32Array.from(c,({at:e})=>e.y)),type:q(e.type,Uint16Array.from(c,({of:e,node:t})=>Dr(i.types,e.head.types[e.type[t]]))),community:q(e.community,Uint32Array.from(c,({of:e,node:t})=>e.community[t])),source:q(e.source,Uint32Array.from(c,({of:e,node:t})=>{let n=e.source[t]===4294967295?void 0:e.head.sources[e.source[t]];if(!n)return Lt;let r=i.sources.findIndex(e=>e.handle===n.handle);return r>=0?r:i.sources.push(n)-1})),degree:q(e.degree,Uint32Array.from(c,({of:e,node:t})=>e.degree[t])),time:q(e.time,Float64Array.from(c,({of:e,node:t})=>e.time[t])),importance:q(e.importance,Float32Array.from(c,({of:e,node:t})=>e.importance[t])),labels:e.labels.and(c.map(({of:e,node:t})=>e.labels.at(t))),handles:e.handles.and(c.map(({of:e,node:t})=>e.handles.at(t))),from:q(e.from,Uint32Array.from(l,({from:e})=>e)),to:q(e.to,Uint32Array.from(l,({to:e})=>e)),kind:q(e.kind,Uint16Array.from(l,({kind:e})=>e)),weight:q(e.weight,Float32Array.from(l,({of:e,edge:t})=>e.weight[t])),confidence:q(e.confidence,Float32Array.from(l,({of:e,edge:t})=>e.confidence[t])),flags:q(e.flags,Uint8Array.from(l,({of:e,edge:t})=>e.flags[t])),from_time:q(e.from_time,Float64Array.from(l,({of:e,edge:t})=>e.from_time[t])),until_time:q(e.until_time,Float64Array.from(l,({of:e,edge:t})=>e.until_time[t])),edgeHandles:e.edgeHandles.and(l.map(({of:e,edge:t})=>e.edgeHandles.at(t)))}}function Dr(e,t){let n=e.indexOf(t);return n>=0?n:e.push(t)-1}function q(e,t){if(t.length===0)return e;let n=new e.constructor(e.length+t.length);return n.set(e),n.set(t,e.length),n}function Or(e){let t=mr(e.x,e.y);return t?{x:(t.left+t.right)/2,y:(t.top+t.bottom)/2}:{x:0,y:0}}function kr(e,t,n){let r=mr(e,t);return r?{x:r.right+n,y:(r.top+r.bottom)/2}:{x:0,y:0}}function Ar(e){return e.type===`memory`?e.name:e.id}function jr(e){let t=e.length===0?[]:[e[0].from,...e.map(e=>e.to)],n=e=>e.kind===`relation`?`relation:${e.label}`:e.kind,r=[...new Set([`memory`,...t.map(Mr)])],i=[...new Set(e.map(n))],a=i.map(t=>e.find(e=>n(e)===t)),o=e=>e===null?NaN:Date.parse(e)/1e3;return{...Zt,head:{...Zt.head,types:r,kinds:i,families:a.map(e=>e.family),directed:i.map(e=>e!==`semantic`&&e!==`contradicts`),layers:a.map(e=>e.from.layer)},nodes:t.length,edges:e.length,x:Float32Array.from(t,(e,t)=>t),y:Float32Array.from(t,(e,t)=>t%2*.3),type:Uint16Array.from(t,e=>r.indexOf(Mr(e))),community:Uint32Array.from(t,()=>Lt),source:Uint32Array.from(t,()=>Lt),degree:Uint32Array.from(t,()=>1),time:Float64Array.from(t,e=>o(e.occurred_at)),importance:Float32Array.from(t,()=>3),labels:Rt.of(t.map(e=>e.type===`memory`?e.excerpt??e.name:e.name)),handles:Rt.of(t.map(Ar)),from:Uint32Array.from(e,(e,t)=>e.forward?t:t+1),to:Uint32Array.from(e,(e,t)=>e.forward?t+1:t),kind:Uint16Array.from(e,e=>i.indexOf(n(e))),weight:Float32Array.from(e,e=>e.weight),confidence:Float32Array.from(e,e=>e.confidence),flags:Uint8Array.from(e,e=>+(e.evidence.length>0)|(e.provenance===`llm`?4:0)|(e.provenance===`user`?8:0)),from_time:Float64Array.from(e,()=>NaN),until_time:Float64Array.from(e,e=>o(e.expires_at)),edgeHandles:Rt.of(e.map(e=>e.edge??``))}}function Mr(e){return e.type===`memory`?`memory`:e.entity_type??`custom`}function Nr(e,t){let n=Ht(t),r=wr(t);return i=>{let a=n.get(i);if(a!==void 0)return{x:t.x[a],y:t.y[a]};let o=Ht(e).get(i);if(o===void 0)return;let s=[...qt(e,o)].flatMap(t=>n.get(e.handles.at(Xt(e,t,o)))??[]);if(s.length===0)return;let c=e=>s.reduce((t,n)=>t+e[n],0)/s.length,l=o*2.399963;return{x:c(t.x)+Math.cos(l)*r*.5,y:c(t.y)+Math.sin(l)*r*.5}}}function Pr(e){let t=e.since?` since ${W(e.since)}`:``,n=e.until?` until ${W(e.until)}`:``,r=e.certain?``:`, read from the texts`;switch(e.is){case`current`:return{words:`current${t}${n}${r}`,tone:`good`,sign:`✓`};case`outdated`:return{words:`outdated${t}${r}`,tone:`warn`,sign:`⟲`};case`planned`:return{words:`planned${e.since?` for ${W(e.since)}`:``}${n}${r}`,tone:`quiet`,sign:`…`};case`cancelled`:return{words:`cancelled${t}${r}`,tone:`bad`,sign:`✕`};case`temporary`:return{words:`temporary${t}${n}${r}`,tone:`quiet`,sign:`◷`};case`contradicted`:return{words:`contradicted${t}${r}`,tone:`bad`,sign:`≠`};default:return{words:`${e.is}${t}${n}${r}`,tone:`quiet`,sign:`•`}}}var Fr={direct_match:`it has the words of the question`,similar_meaning:`its meaning is close to the question`,place:`it stands next to what was asked, in the same session or document`,graph_expansion:`the graph leads to it`,time:`it happened at the time that was asked for`};function Ir(e){return Fr[e.why_included]??e.why_included}var Lr={floor:`too unlikely to bear on the question`,scope:`of another project`,limit:`beyond the number of results`,budget:`beyond the budget of tokens`,redundant:`a result says the same`,superseded:`replaced by a newer memory`};function Rr(e){return Lr[e]??e}var zr={feature_flag_disabled:`the setting recall.graph is off`,rollout_off:`the rollout is off`,shadow_mode:`in shadow the graph is only measured`,quality_gate_blocked:`the quality gate holds it back`,graph_expansion_error:`it failed`,rollout_guardrail:`its rollout could not be read`};function Br(e){if(e.applied===`hybrid_graph`)return`With the graph, which reached ${K(e.graph_candidates,`memory`,`memories`)}`;let t=e.fallback_reason;return t?`Without the graph: ${zr[t]??t}`:`Without the graph`}var Vr={why:`a question for reasons`,when:`a question for a time`,entity:`a question about a thing`,general:`a general question`};function Hr(e){return e.intent===`why`&&e.direction===`consequences`?`a question for what followed`:Vr[e.intent]??e.intent}function Ur({kept:e,merged:t,inseparable:n}){return[`${e.name} and ${t.name} are two again.`,...n].join(` `)}function Wr(e){return e.kind===`passage`}function J(e){return e.replaceAll(`_`,` `)}function Gr(e){let t=J(e).toLowerCase();return t.charAt(0).toUpperCase()+t.slice(1)}var Kr=2,qr=0,Jr=class extends O{static{this.properties={of:{},keeps:{state:!0}}}#e=[new N(this),new N(this)];#t=new N(this);#n=new N(this);#r=`same-${qr+=1}`;constructor(){super(),this.of=``,this.keeps=0}willUpdate(e){if(!e.has(`of`))return;let{value:t}=this.#t;t&&this.of===t.kept.id||this.#i()}#i(){for(let e of[...this.#e,this.#t,this.#n])e.forget()}#a(e,t){this.#o(e,t),this.of!==``&&this.#e[0].value===null&&this.#o(0,this.of)}#o(e,t){if(t===void 0)return this.#e[e].forget();this.#e[e].ask(e=>M.client.entity({name:t,limit:Kr,...R()},{signal:e})).then(()=>{let[e,t]=this.#e.map(e=>e.value?.mention_count??0);this.keeps=+(t>e)})}render(){let{value:e}=this.#t;if(e)return C`<p role="status" class="good">${e.merged.name} is now another name of ${e.kept.name}.
        <button ?disabled=${this.#n.busy} @click=${()=>this.#u(e)}>Undo</button>
        ${this.of===``?C`<button @click=${()=>this.#i()}>Merge two others</button>`:w}</p>
        ${H(this.#n.failure)}`;let[t,n]=this.#e.map(e=>e.value),r=t&&n&&t.entity.id===n.entity.id;return C`
      ${this.#n.value===null?w:C`<p role="status" class="good">${this.#n.value}</p>`}
      <div class="row">
        ${this.of===``?this.#s(0,`One name`):w}
        ${this.#s(1,this.of===``?`The other name`:`Is the same as`)}
      </div>
      ${this.#e.map(e=>H(e.failure))}
      ${r?C`<p class="warn">Both names are of one thing already.</p>`:w}
      ${t&&n&&!r?this.#c([t,n]):w}
      ${H(this.#t.failure)}`}#s(e,t){return C`<griot-graph-search class="grow" .label=${t} .placeholder=${`${t}…`} keep entities
      @chosen=${t=>this.#a(e,t.detail?.handle)}></griot-graph-search>`}#c(e){return C`
      <fieldset class="sides"><legend>Which name stays?</legend>
        ${e.map(({entity:e,mentions:t,mention_count:n},r)=>C`<section>
          <label class="row"><input type="radio" name=${this.#r} .checked=${this.keeps===r}
            @change=${()=>this.keeps=r}>
            <strong dir="auto">${e.name}</strong><span class="chip">${e.type}</span>
            <span class="quiet">${K(n,`mention`)}</span></label>
          ${t.map(e=>C`<blockquote dir="auto">${e.text.slice(0,240)}</blockquote>`)}
        </section>`)}
      </fieldset>
      <p><button class="primary" ?disabled=${this.#t.busy} @click=${()=>this.#l(e)}>
        Merge</button> <span class="quiet">All that is known of both is then known of one. It can be
        undone.</span></p>`}async#l(e){let[t,n]=[e[this.keeps].entity.id,e[1-this.keeps].entity.id];await this.#t.send(async e=>(await M.client.merge({kept:t,merged:n,...R()},{signal:e})).merge),this.#t.value&&this.#d(t)}async#u(e){if(await this.#n.send(async t=>Ur(await M.client.unmerge({name:e.id,...R()},{signal:t}))),this.#n.failure===null){for(let e of[...this.#e,this.#t])e.forget();this.#d(e.kept.id)}}#d(e){this.dispatchEvent(new CustomEvent(`merged`,{detail:e}))}};customElements.define(`griot-same`,Jr);function Yr(e,t){let n=t.map(e=>e.trim()).filter(e=>e.length>1).sort((e,t)=>t.length-e.length).map(e=>{let t=e.split(/\s+/).map(e=>e.replace(/[.*+?^${}()|[\]\\]/g,`\\$&`)),n=e=>/[\p{L}\p{N}]/u.test(e),r=n(e[0])?`(?<![\\p{L}\\p{N}])`:``,i=n(e.at(-1))?`(?![\\p{L}\\p{N}])`:``;return`${r}${t.join(`\\s+`)}${i}`});return n.length===0?e===``?[]:[{text:e,marked:!1}]:e.split(RegExp(`(${n.join(`|`)})`,`giu`)).map((e,t)=>({text:e,marked:t%2==1})).filter(e=>e.text!==``)}function Xr(e,t){return C`${Yr(e,t).map(e=>e.marked?C`<mark>${e.text}</mark>`:e.text)}`}var Zr=/^#|^[0-9a-f]{8}-[0-9a-f]{4}-/,Qr=1200,$r=20,ei=60,ti=class extends O{static{this.properties={handle:{},edge:{},asOf:{},scope:{},graph:{attribute:!1},shade:{attribute:!1},revision:{},shown:{state:!0},why:{state:!0}}}#e=new AbortController;#t=``;constructor(){super(),this.handle=this.edge=this.asOf=this.scope=this.why=``,this.shown=null,this.revision=0}willUpdate(e){let t=[`handle`,`edge`,`asOf`,`scope`].some(t=>e.has(t)),n=this.#a(),r=n!==``&&n!==this.#t;(r||t)&&(this.#t=n),t&&(this.shown=null),(t||r||e.has(`revision`))&&this.#n()}disconnectedCallback(){super.disconnectedCallback(),this.#e.abort()}async#n(){this.#e.abort();let{signal:e}=this.#e=new AbortController;this.why=``;try{let t=this.edge===``?await this.#i(e):await this.#r(e);e.aborted||(this.shown=t)}catch(t){e.aborted||(this.why=U(t))}}async#r(e){if(this.edge.includes(`→`))return null;let t=await M.client.edge({name:this.edge,...R()},{signal:e}),n=new Set(t.evidence.flatMap(e=>e.memory??[]));for(let e of[t.source,t.target])e.type===`memory`&&n.add(e.id);let r=new Map;return await Promise.all([...n].slice(0,$r).map(async t=>{let n=await M.client.show({name:t,...R()},{signal:e}).catch(()=>null);n&&r.set(t,n)})),{is:`edge`,edge:t,passages:r}}async#i(e){if(this.handle===``||this.#t===`community`||this.#t===`source`)return null;if(Zr.test(this.handle)||this.#t===`memory`)return{is:`memory`,memory:await M.client.show({name:this.handle,...R()},{signal:e})};let t=this.asOf===``?{}:{now:this.asOf},n={name:this.handle,limit:$r,...t,...R()};return{is:`entity`,view:await M.client.entity(n,{signal:e})}}#a(){let e=I(this.graph,this.handle);return e===void 0?``:this.graph.head.types[this.graph.type[e]]??``}render(){return C`
      <div class="row detail-head">
        <div class="grow">${this.edge===``?this.#o():this.#h()}</div>
        <button aria-label="Close details"
          @click=${()=>this.dispatchEvent(new Event(`closed`))}>✕</button>
      </div>
      ${this.why===``?w:C`<p class="bad" role="alert">${this.why}</p>`}
      ${this.edge===``?this.#s():this.#g()}
    `}#o(){let e=I(this.graph,this.handle),{shown:t}=this;return C`<h2 class="detail-name" dir="auto">${t?.is===`entity`?t.view.entity.name:t?.is===`memory`?`Memory ${t.memory.handle}`:e===void 0?this.handle:this.graph.labels.at(e)}</h2>`}#s(){let{shown:e}=this,t=I(this.graph,this.handle),n=this.#t;return n===`community`?this.#c(t):n===`source`?C`<p>A source. <a href=${E(`explore`,{...R(),source:this.handle})}>Its graph</a>
        · <a href=${E(`sources`,{...R(),source:this.handle})}>its memories</a></p>
        ${this.#m()}`:e?.is===`entity`?this.#l(e.view):e?.is===`memory`?this.#p(e.memory):this.why===``?C`<p class="quiet">Loading…</p>`:C``}#c(e){let t=this.graph.community[e];return C`
      <p>${K(this.graph.head.communities.find(e=>e.id===t)?.size??0,`node`)} that are more connected with each other than with others.</p>
      <p><a href=${E(`explore`,{...R(),community:String(t)})}>Open it</a></p>
    `}#l({entity:e,relations:t,mentions:n,mention_count:r,facts:i}){let a=e.aliases.filter(t=>t!==e.name.toLowerCase());return C`
      <p class="row"><span class="chip">${e.type}</span><span class="chip">${e.layer}</span>
        <span class="quiet">${K(r,`mention`)}</span></p>
      ${e.description.map(e=>C`<p dir="auto">${e}</p>`)}
      <dl>
        ${this.#x(`Also called`,a.join(`, `))}
        ${this.#x(`First seen`,z(e.first_seen))}
        ${this.#x(`Last seen`,z(e.last_seen))}
        ${this.#x(`Name for commands`,C`<code>${e.id}</code>`)}
      </dl>
      ${P.may(`admin`)?C`<details><summary>Same thing as…</summary>
              <griot-same .of=${e.id} @merged=${e=>this.#S(`select`,e.detail)}></griot-same></details>`:w}
      ${this.#u(n,r)}
      ${this.#d(i)}
      ${this.#f(t,e.id)}
      ${n.length===0?w:C`
        <h3>Memories</h3>
        ${n.map(n=>this.#_(n,[e.name,...e.aliases,...t.flatMap(e=>ii(e.evidence,n.id)),...i.flatMap(e=>ii(e.evidence,n.id))]))}
        ${r>n.length?C`<p class="quiet">
                The latest ${n.length} of ${r.toLocaleString(`en`)}.</p>`:w}`}
      ${this.#m()}
    `}#u(e,t){let n=new Map;for(let t of e)n.set(t.source,(n.get(t.source)??0)+1);if(n.size===0)return w;let r=new Map(this.graph.head.sources.map(e=>[e.handle,e.name]));return C`
      <h3>Sources ${t>e.length?ni(`of the latest mentions`):w}</h3>
      <ul class="plain">${[...n].map(([e,t])=>C`
        <li><a dir="auto" href=${E(`sources`,{...R(),source:e})}>${r.get(e)??e}</a>
          <span class="quiet">${t}</span></li>`)}</ul>
    `}#d(e){if(e.length===0)return w;let t=e=>e.valid_to?` to ${z(e.valid_to)}`:``,n=e=>e.valid_from?`from ${z(e.valid_from)}`:`from an unknown time`;return C`
      <h3>Facts</h3>
      <ul class="plain">${e.map(e=>C`
        <li class=${e.current?``:`quiet`}>
          <span dir="auto">${e.subject.name} ${V(e.predicate)}
          ${e.object_node?this.#v(e.object_node):e.object}</span>
          <div class="quiet">${e.current?`valid`:`no longer valid`}, ${n(e)}${t(e)},
            confidence ${B(e.confidence)}
            ${e.contradicts.length>0?C`<span class="warn">contradicted by ${e.contradicts.join(`, `)}</span>`:w}</div>
        </li>`)}</ul>
    `}#f(e,t){return e.length===0?w:C`
      <h3>Relations</h3>
      <ul class="plain">${e.map(e=>{let n=e.source.id===t;return C`
          <li>
            ${e.kind===`relation`?V(e.label):`${V(e.kind)} ${e.label}`.trim()} ${n?`→`:`←`} ${this.#v(n?e.target:e.source)}
            <div class="quiet">
              weight ${e.weight.toFixed(2)}, confidence ${B(e.confidence)}, ${e.provenance}
              ${e.id?C`· ${this.#b(e.id,`evidence`)}`:w}</div>
          </li>`})}</ul>
    `}#p(e){let t=I(this.graph,e.handle)??I(this.graph,e.id),n=t===void 0?[]:[...qt(this.graph,t)].map(e=>Xt(this.graph,e,t)).filter(e=>this.graph.head.types[this.graph.type[e]]!==`memory`).map(e=>this.graph.labels.at(e)),r=this.graph.head.sources.find(t=>t.handle===e.source),i=E(`sources`,{...R(),source:e.source,memory:e.handle});return C`
      <p class="row"><span class="chip">${e.kind}</span><span class="chip">${e.layer}</span>
        ${e.superseded_by?C`<span class="chip warn">replaced</span>`:w}
        ${e.deleted_at?C`<span class="chip bad">forgotten</span>`:w}
        ${e.flags.map(e=>C`<span class="chip warn">${e}</span>`)}</p>
      <p class="quiet" dir="auto">${e.heading.join(` › `)}</p>
      <p class="passage" dir="auto">${Xr(e.text,n)}</p>
      <dl>
        ${this.#x(`Happened`,z(e.occurred_at))}
        ${this.#x(`Stored`,z(e.recorded_at))}
        ${this.#x(`Said by`,e.speaker??``)}
        ${this.#x(`Source`,C`<a dir="auto" href=${i}>
          ${e.cite??r?.name??e.source}</a>`)}
        ${this.#x(`Tags`,e.tags.join(`, `))}
        ${this.#x(`Importance`,`${e.importance} of 5`)}
        ${this.#x(`Expires`,z(e.expires_at))}
        ${e.superseded_by?this.#x(`Replaced by`,C`<button class="link" @click=${()=>this.#S(`select`,e.superseded_by)}>
            the newer memory</button>`):w}
      </dl>
      ${this.#m()}
    `}#m(){let e=I(this.graph,this.handle);if(e===void 0)return C`<p class="quiet">Not in the picture.
      <a href=${E(`explore`,{...R(),around:this.handle,sel:this.handle})}>Show it</a></p>`;let t=[...qt(this.graph,e)].filter(e=>_n(this.shade,e));return t.length===0?w:(t.sort((e,t)=>this.graph.weight[t]-this.graph.weight[e]),C`
      <h3>In the picture <span class="quiet">${K(t.length,`edge`)}</span></h3>
      <ul class="plain">${t.slice(0,ei).map(t=>{let n=Xt(this.graph,t,e),r=V(this.graph.head.kinds[this.graph.kind[t]]),i=this.graph.head.directed[this.graph.kind[t]]?this.graph.from[t]===e?`→`:`←`:`–`,a=this.graph.edgeHandles.at(t);return C`
          <li class="clip">
            ${a===``?C`<span class="quiet">${r}</span>`:this.#b(a,r)}
            ${i} ${this.#y(this.graph.handles.at(n),this.graph.labels.at(n))}
            <span class="quiet">${this.graph.weight[t].toFixed(2)}</span>
          </li>`})}</ul>
      ${t.length>ei?C`<p class="quiet">The ${ei} heaviest of ${t.length.toLocaleString(`en`)};
        the table has all.</p>`:w}
    `)}#h(){let{shown:e}=this;return C`<h2 class="detail-name">${V(e?.is===`edge`?e.edge.label||e.edge.kind:`Edge`)}</h2>`}#g(){let{shown:e}=this;if(e?.is!==`edge`)return this.why===``?this.edge.includes(`→`)?C`<p class="quiet">This edge follows from times or places in a text; it is not stored and has
              no evidence of its own.</p>`:C`<p class="quiet">Loading…</p>`:C``;let{edge:t,passages:n}=e,r=[...n.values()];return C`
      <p dir="auto">${this.#v(t.source)} → ${this.#v(t.target)}</p>
      <dl>
        ${this.#x(`Kind`,t.kind)}
        ${this.#x(`Label`,t.label)}
        ${this.#x(`Keywords`,t.keywords.join(`, `))}
        ${this.#x(`Family`,t.family)}
        ${this.#x(`Weight`,t.weight.toFixed(2))}
        ${this.#x(`Confidence`,t.confidence===t.stored_confidence?B(t.confidence):`${B(t.confidence)}, was ${B(t.stored_confidence)} with its last evidence`)}
        ${this.#x(`Stated by`,ri[t.provenance]??t.provenance)}
        ${this.#x(`Since`,z(t.created_at))}
        ${this.#x(`Last evidence`,z(t.touched_at))}
        ${this.#x(`Expires`,z(t.expires_at))}
      </dl>
      <h3>Passages it came from</h3>
      ${t.evidence.filter(e=>!e.memory||!n.has(e.memory)).map(e=>C`
        <p class="quiet">${e.quote?`“${e.quote}” `:``}${e.reason??``} ${z(e.at)}</p>`)}
      ${r.length+t.evidence.length===0?ni(`None is stored.`):w}
      ${r.map(e=>C`
        ${t.evidence.filter(t=>t.memory===e.id&&t.reason).map(e=>C`<p class="quiet">${e.reason}</p>`)}
        ${this.#_(e,[...ii(t.evidence,e.id),...ai(t)])}`)}
    `}#_(e,t){let n=e.text.length>Qr?`…`:``;return C`
      <blockquote>
        <div class="passage" dir="auto">${Xr(e.text.slice(0,Qr),t)}${n}</div>
        <footer class="quiet">${this.#y(e.handle,e.handle)}
          ${z(e.occurred_at)} ${e.cite??``}</footer></blockquote>
    `}#v(e){let t=e.type===`memory`?e.excerpt??e.name:e.name;return this.#y(Ar(e),t)}#y(e,t){return C`<button class="link" dir="auto" @click=${()=>this.#S(`select`,e)}>${t}</button>`}#b(e,t){return C`<button class="link" @click=${()=>this.#S(`select-edge`,e)}>${t}</button>`}#x(e,t){return t===``?w:C`<dt>${e}</dt><dd dir="auto">${t}</dd>`}#S(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t}))}};function ni(e){return C`<span class="quiet">${e}</span>`}var ri={user:`a person`,static:`a parser`,import:`an import`,llm:`a language model`,embedding:`similar meaning`,rule:`a rule`};function ii(e,t){return e.flatMap(e=>e.memory===t&&e.quote?[e.quote]:[])}function ai(e){return[e.source,e.target].flatMap(e=>e.type===`memory`?[]:[e.name])}function oi(e,t,n){let{head:r}=e;if(t!==null){let n=r.types[e.type[t]],i=e.source[t]===4294967295?void 0:r.sources[e.source[t]]?.name;return[e.labels.at(t),`${n}${n===`memory`?``:`, ${ln(n)}`}, ${K(e.degree[t],`edge`)}`,...i?[`from ${i}`]:[],...Number.isNaN(e.time[t])?[]:[z(e.time[t])]]}if(n===null)return[];let i=e.flags[n],a=r.kinds[e.kind[n]],o=[[1,`with evidence`],[2,`ended or replaced`],[4,`from a model`],[8,`from a person`]],s=r.directed[e.kind[n]]?`→`:`–`,c=t=>[...e.labels.at(t)].slice(0,40).join(``);return[`${V(a)} (${r.families[e.kind[n]]})`,`${c(e.from[n])} ${s} ${c(e.to[n])}`,`weight ${e.weight[n].toFixed(2)}, confidence ${B(e.confidence[n])}`,...o.flatMap(([e,t])=>(i&e)===0?[]:[t]),...Number.isNaN(e.until_time[n])?[]:[`until ${z(e.until_time[n])}`]]}customElements.define(`griot-detail`,ti);function si(e,t){let{head:n}=e,r=e=>Number.isFinite(e)?new Date(e*1e3).toISOString():null,i=[],a=[];for(let a=0;a<e.nodes;a+=1){if(!L(t,a))continue;let o=n.types[e.type[a]];i.push({id:e.handles.at(a),label:e.labels.at(a),type:o,layer:ln(o),community:e.community[a]===4294967295?null:e.community[a],source:e.source[a]===4294967295?null:n.sources[e.source[a]]?.name??null,degree:e.degree[a],time:r(e.time[a]),importance:ci(e.importance[a]),x:ci(e.x[a]),y:ci(e.y[a])})}for(let i=0;i<e.edges;i+=1){if(!_n(t,i))continue;let o=e.kind[i],s=e.flags[i];a.push({id:Ut(e,i),source:e.handles.at(e.from[i]),target:e.handles.at(e.to[i]),kind:n.kinds[o],family:n.families[o],directed:n.directed[o],weight:ci(e.weight[i]),confidence:ci(e.confidence[i]),evidence:!!(s&1),ended:!!(s&2),model:!!(s&4),person:!!(s&8),from:r(e.from_time[i]),until:r(e.until_time[i])})}return{nodes:i,edges:a}}function ci(e){return Number(e.toPrecision(7))}function li(e){return JSON.stringify(e,null,1)}function ui(e){let t=Object.keys(e[0]??{});return[t,...e.map(e=>t.map(t=>e[t]??``))].map(e=>`${e.map(di).join(`,`)}\r\n`).join(``)}function di(e){if(typeof e!=`string`)return String(e);let t=/^[=+\-@\t\r]/.test(e)?`'${e}`:e;return/[",\r\n]/.test(t)||t!==t.trim()?`"${t.replaceAll(`"`,`""`)}"`:t}function fi({nodes:e,edges:t}){let n=[],r=(e,t,r)=>{for(let i of Object.keys(t[0]??{})){if(r.includes(i))continue;let a=t.find(e=>e[i]!==null)?.[i],o=typeof a==`number`?`double`:typeof a==`boolean`?`boolean`:`string`;n.push(`  <key id="${e}-${i}" for="${e}" attr.name="${i}" attr.type="${o}"/>`)}},i=[`id`,`source`,`target`,`directed`];r(`node`,e,[`id`]),r(`edge`,t,i);let a=(e,t,n)=>Object.entries(t).flatMap(([t,r])=>n.includes(t)||r===null?[]:[`<data key="${e}-${t}">${hi(String(r))}</data>`]).join(``);return[`<?xml version="1.0" encoding="UTF-8"?>`,`<graphml xmlns="http://graphml.graphdrawing.org/xmlns">`,...n,`  <graph edgedefault="directed">`,...e.map(e=>`    <node id="${hi(String(e.id))}">${a(`node`,e,[`id`])}</node>`),...t.map(e=>`    <edge id="${hi(String(e.id))}" source="${hi(String(e.source))}" target="${hi(String(e.target))}" directed="${e.directed}">${a(`edge`,e,i)}</edge>`),`  </graph>`,`</graphml>`,``].join(`
`)}var pi=/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu,mi={"&":`&amp;`,"<":`&lt;`,">":`&gt;`,'"':`&quot;`,"'":`&apos;`};function hi(e){return e.replace(pi,`�`).replace(/[&<>"']/g,e=>mi[e]).replace(/[\t\n\r]/g,e=>`&#${e.charCodeAt(0)};`)}function gi(e,t){let n=document.createElement(`a`);n.href=URL.createObjectURL(e),n.download=t,n.click(),setTimeout(()=>URL.revokeObjectURL(n.href),1e4)}var _i=1500,vi=class{#e;#t;#n;#r;#i;constructor(e,t,n){this.state=null,this.#i=``,this.#e=e,this.#t=t,this.#n=n,e.addController(this)}hostDisconnected(){clearTimeout(this.#r)}async watch(e,t){if(clearTimeout(this.#r),t)return this.#o(null);try{let t=await M.client.graphLayout(R());if(t.state===`ready`)return this.#o(null),this.#i===e?void 0:(this.#i=e,await this.#t());this.#o(t),t.state===`running`&&this.#e.isConnected&&(this.#r=setTimeout(()=>void this.watch(e,!1),_i))}catch{this.#o(null)}}async#a(e){try{this.#o(await M.client.layOutGraph()),this.#r=setTimeout(()=>void this.watch(e,!1),_i)}catch(e){this.#n(e)}}#o(e){this.state=e,this.#e.requestUpdate()}view(e,t){if(this.state===null)return w;if(this.state.state===`running`){let e=`${B(this.state.share)} done`;return t===0?C`The communities of this workspace are being computed: ${e}. A search works meanwhile.`:C`Places are provisional; the layout is ${e}.`}let n=C`<button @click=${()=>void this.#a(e)}>Compute the layout</button>`;return C`Places are provisional. ${P.may(`write`)?n:w}`}},yi=600,bi=class extends O{static{this.properties={choices:{attribute:!1},at:{attribute:!1},subject:{}}}#e=null;#t=0;constructor(){super(),this.choices=[],this.subject=``,this.at=null}disconnectedCallback(){super.disconnectedCallback(),document.removeEventListener(`pointerdown`,this.#n)}render(){return this.at?C`
      <div class="menu" role="menu" aria-label=${`Menu of ${this.subject}`} @keydown=${this.#i}>
        <p class="menu-title clip" dir="auto">${this.subject}</p>
        ${this.choices.map(e=>C`
          <button role="menuitem" tabindex="-1" @click=${t=>{t.pointerType===`touch`&&performance.now()-this.#t<yi||(this.#r(),e.run())}}>${e.label}</button>`)}
      </div>
    `:w}updated(e){let t=this.querySelector(`.menu`);if(!e.has(`at`)||!t||!this.at)return;let n=(this.parentElement??this).getBoundingClientRect();t.style.left=`${Math.max(4,Math.min(this.at.x,n.width-t.offsetWidth-4))}px`,t.style.top=`${Math.max(4,Math.min(this.at.y,n.height-t.offsetHeight-4))}px`,this.#t=performance.now(),this.#e=document.activeElement,t.querySelector(`button`)?.focus(),document.addEventListener(`pointerdown`,this.#n)}#n=e=>{this.contains(e.target)||this.#r()};#r(){document.removeEventListener(`pointerdown`,this.#n),this.at=null,this.#e?.focus(),this.dispatchEvent(new Event(`closed`))}#i=e=>{let t=[...this.querySelectorAll(`[role=menuitem]`)],n=t.indexOf(document.activeElement),r={ArrowDown:(n+1)%t.length,ArrowUp:(n-1+t.length)%t.length,Home:0,End:t.length-1};if(e.key===`Escape`||e.key===`Tab`)this.#r();else if(e.key in r)t[r[e.key]]?.focus();else return;e.preventDefault()}};customElements.define(`griot-menu`,bi);var xi=class extends O{static{this.properties={revision:{},told:{state:!0},why:{state:!0}}}constructor(){super(),this.revision=0,this.told=null,this.why=``}willUpdate(e){e.has(`revision`)&&this.#e()}async#e(){try{let[e,t,n]=await Promise.all([M.client.status(R()),M.client.hubs({limit:10,...R()}),M.client.memories({limit:8,...R()})]);this.told={status:e,hubs:t,latest:n},this.why=``}catch(e){this.why=U(e)}}render(){if(this.why!==``)return C`<p class="bad">${this.why}</p>`;if(!this.told)return C`<p class="quiet">Loading…</p>`;let{status:{counts:e},hubs:t,latest:n}=this.told,r=Object.entries(e.entities_by_type).sort((e,t)=>t[1]-e[1]),i=r[0]?.[1]??1;return C`
      <p>${K(e.memories,`memory`,`memories`)}, ${K(e.entities,`entity`,`entities`)},
        ${K(e.edges,`stored edge`)}, ${K(e.facts,`fact`)},
        ${K(e.sources,`source`)}</p>
      ${r.length===0?w:C`
        <h2>Entities by type</h2>
        <table class="bars"><tbody>${r.map(([e,t])=>C`
          <tr><th scope="row">${e}</th><td><meter min="0" max=${i} value=${t}></meter></td>
            <td class="number">${t.toLocaleString(`en`)}</td></tr>`)}</tbody></table>`}
      ${t.length===0?w:C`
        <h2>Best connected</h2>
        <ol class="plain">${t.map(({entity:e,degree:t})=>C`
          <li class="row">
            <button class="link clip grow" dir="auto"
              @click=${()=>this.#t(e.id)}>${e.name}</button>
            <span class="quiet">${t.toLocaleString(`en`)}</span></li>`)}</ol>`}
      ${n.length===0?w:C`
        <h2>Came in last</h2>
        <ol class="plain">${n.map(e=>C`
          <li><button class="link clip" dir="auto" @click=${()=>this.#t(e.handle)}>
              ${e.text.slice(0,90)}</button>
            <span class="quiet">${e.kind}, ${z(e.recorded_at)}</span></li>`)}</ol>`}
    `}#t(e){this.dispatchEvent(new CustomEvent(`select`,{detail:e}))}};customElements.define(`griot-overview`,xi);function Si(e,t,n,r){let i=(e,t,r)=>C`
    <griot-graph-search .label=${t} .placeholder=${t} .value=${n(r)} keep
      @chosen=${t=>D({[e]:t.detail?.handle},!0)}>
    </griot-graph-search>`;return C`
    ${i(`from`,`From`,e.pathFrom)}
    ${i(`to`,`To`,e.pathTo)}
    ${typeof t==`string`?C`<p class="bad">${t}</p>`:t?Ci(t,r):w}
    ${e.pathFrom===``&&e.pathTo===``?w:C`<button @click=${()=>D({from:void 0,to:void 0},!0)}>Clear the path</button>`}
  `}function Ci(e,t){let n=e.hops[0];if(!e.found)return C`<p>No path of at most six steps joins them.</p>`;if(!n)return C`<p>Both ends are the same.</p>`;let r=e=>C`
    <button class="link" dir="auto"
      @click=${()=>t(Ar(e))}>${e.excerpt??e.name}</button>`;return C`
    <ol class="path">
      <li>${r(n.from)}</li>
      ${e.hops.map(e=>C`
          <li><span class="quiet">${e.forward?`→`:`←`} ${V(e.reads)}</span>
            ${r(e.to)}</li>`)}
    </ol>
    <p class="quiet">Confidence ${B(e.confidence)}</p>
  `}var wi=class{#e;#t;#n;#r;#i;#a=new Uint32Array;constructor(e,t){this.#e=e;let[n,r]=[Math.max(e.right-e.left,1e-6),Math.max(e.bottom-e.top,1e-6)];this.#t=Math.max(Math.sqrt(n*r/t),Math.max(n,r)/t),this.#n=Math.floor(n/this.#t)+1,this.#r=Math.floor(r/this.#t)+1,this.#i=new Uint32Array(this.#n*this.#r+1)}fill(e){e(e=>this.#i[e+1]+=1);for(let e=1;e<this.#i.length;e+=1)this.#i[e]+=this.#i[e-1];let t=this.#i.slice();this.#a=new Uint32Array(this.#i.at(-1)),e((e,n)=>this.#a[t[e]++]=n)}column(e){return Math.min(this.#n-1,Math.max(0,Math.floor((e-this.#e.left)/this.#t)))}row(e){return Math.min(this.#r-1,Math.max(0,Math.floor((e-this.#e.top)/this.#t)))}cell(e,t){return t*this.#n+e}near(e,t,n){for(let r=this.row(e.y-t);r<=this.row(e.y+t);r+=1)for(let i=this.column(e.x-t);i<=this.column(e.x+t);i+=1){let e=this.cell(i,r);for(let t=this.#i[e];t<this.#i[e+1];t+=1)n(this.#a[t])}}along(e,t,n,r,i){if(t>r)return this.along(n,r,e,t,i);let a=this.row(t),o=this.row(r),s=a===o?0:(n-e)/(r-t);for(let r=a;r<=o;r+=1){let c=this.#e.top+r*this.#t,l=r===a?e:e+(c-t)*s,u=r===o?n:e+(c+this.#t-t)*s,d=this.cell(this.column(Math.max(l,u)),r);for(let e=this.cell(this.column(Math.min(l,u)),r);e<=d;e+=1)i(e)}}},Ti=class{#e;#t;#n;constructor(e,t){this.#e=e,this.#t=t;let n=mr(e,t);this.#n=n&&new wi(n,Math.max(1,e.length)),this.#n?.fill(n=>{let r=this.#n;for(let i=0;i<e.length;i+=1)n(r.cell(r.column(e[i]),r.row(t[i])),i)})}at(e,t,n){let r=null,i=1/0;return this.#n?.near(e,t,t=>{let a=Math.hypot(this.#e[t]-e.x,this.#t[t]-e.y);a<i&&a<=n(t)&&([r,i]=[t,a])}),r}},Ei=class{#e;#t;constructor(e,t,n,r){this.#e=i=>{let[a,o]=[n[i],r[i]];return[{x:e[a],y:t[a]},{x:e[o],y:t[o]}]};let i=mr(e,t);this.#t=i&&new wi(i,Math.min(4096,Math.max(1,n.length))),this.#t?.fill(i=>{for(let a=0;a<n.length;a+=1){let[o,s]=[n[a],r[a]];this.#t.along(e[o],t[o],e[s],t[s],e=>i(e,a))}})}at(e,t,n,r){let i=null,a=t;return this.#t?.near(e,t+r,t=>{let r=n(t);if(r===null)return;let o=Math.abs(Di(e,...this.#e(t),r));o<a&&([i,a]=[t,o])}),i}};function Di(e,t,n,r=0){let[i,a]=[n.x-t.x,n.y-t.y],o=Math.hypot(i,a);if(o===0)return Math.hypot(e.x-t.x,e.y-t.y);let[s,c]=[-a/o*r,i/o*r],l=((e.x-t.x-s)*i+(e.y-t.y-c)*a)/(o*o),u=Math.min(1,Math.max(0,l));return Math.hypot(e.x-t.x-s-i*u,e.y-t.y-c-a*u)}var Oi=/[\p{L}\p{N}]+/gu,ki=/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u,Ai=4;function ji(e){return e.replace(/\*\*(?=\S)([^*\n]*\S)\*\*|`([^`\n]+)`/g,(e,t,n)=>t??n??``)}function Mi(e,t,n){let r=Ni(e,t),[i,a]=e.length<=n?[0,e.length]:Ii(e,r,n),o=[],s=i;for(let t of r)t.start<s||t.end>a||(t.start>s&&o.push({text:e.slice(s,t.start),marked:!1}),o.push({text:e.slice(t.start,t.end),marked:!0}),s=t.end);return s<a&&o.push({text:e.slice(s,a),marked:!1}),{pieces:o,cutBefore:i>0,cutAfter:a<e.length}}function Ni(e,t){let n=[];for(let r of e.matchAll(Oi)){let e=Fi(r[0]);for(let[i,a]of t.entries())if(ki.test(a))for(let e=r[0].indexOf(a);e>=0;e=r[0].indexOf(a,e+a.length))n.push({start:r.index+e,end:r.index+e+a.length,term:i});else if(Pi(e,a)){n.push({start:r.index,end:r.index+r[0].length,term:i});break}}return n.sort((e,t)=>e.start-t.start)}function Pi(e,t){return t===``||e.length>t.length+Math.min(Ai,t.length+1)?!1:e.startsWith(t)||t.endsWith(`i`)&&e===`${t.slice(0,-1)}y`}function Fi(e){return e.normalize(`NFKD`).replace(/\p{M}/gu,``).toLowerCase()}function Ii(e,t,n){let r=[],i=-1;for(let e=0;e<t.length;e+=1){let a=e;for(;a+1<t.length&&t[a+1].end-t[e].start<=n;)a+=1;let o=t.slice(e,a+1),s=new Set(o.map(e=>e.term)).size*1e3+o.length;s>i&&([r,i]=[o,s])}let a=r[0]?.start??0,o=r.at(-1)?.end??0,s=Math.max(0,n-(o-a)),c=Math.max(0,Math.min(a-Math.floor(s/3),e.length-n));return[Li(e,c,a),Ri(e,Math.min(e.length,c+n),o)]}function Li(e,t,n){if(t===0)return 0;let r=e.slice(t,n).search(/\s/);return r<0?t:t+r+1}function Ri(e,t,n){if(t>=e.length)return e.length;let r=e.slice(n,t).search(/\s\S*$/);return r<0?t:n+r}var zi=300,Bi=32,Vi={width:12,height:10},Hi=70;function Ui(e,t=Bi){let n=[...e.slice(0,t*4)];return n.length>t?`${n.slice(0,t-1).join(``)}…`:e}function Wi(e){let t=0;for(let n=0;n<e.length;n+=1)t+=e.charCodeAt(n)<11904?6.4:12;return t}var Gi=new WeakMap;function Ki(e,t){let n=Gi.get(e);n||Gi.set(e,n=[]);let r=n[t];if(r)return r;let i=Ui(ji(e.labels.at(t)));return n[t]={text:i,width:Wi(i)}}function qi(e,t,n,r,i,a,o){let s=Math.ceil(r.width/Vi.width)+1,c=Math.ceil(r.height/Vi.height)+1,l=new Uint8Array(s*c),u=[],d=(a,o)=>{let d=(e.x[a]-n.x)*n.scale+r.width/2,f=(e.y[a]-n.y)*n.scale+r.height/2;if(d<0||f<0||d>r.width||f>r.height)return;let p=!!(t.nodes[a*4+1]&2),m=f+_r(i,n.scale,e.degree[a])+11,h=Math.floor((m-7)/Vi.height),g=Math.floor(d/Vi.width);if(h<0||h+1>=c)return;let _=e=>(l[h*s+e]|l[(h+1)*s+e])===0;if(!o&&!_(g))return;let{text:v,width:ee}=Ki(e,a);if(v===``)return;let y=ee/2+3,b=Math.max(0,Math.floor((d-y)/Vi.width)),x=Math.min(s-1,Math.floor((d+y)/Vi.width));if(!o){for(let e=b;e<=x;e+=1)if(!_(e))return}for(let e of[h,h+1])l.fill(1,e*s+b,e*s+x+1);u.push({node:a,x:d,y:m,text:v,faded:p})},f=new Set;for(let[e,n]of[[a,!0],[o,!1]])for(let r of e)u.length>=zi||f.has(r)||!L(t,r)||(f.add(r),d(r,n));let p=i*n.scale<Hi?e.head.types.indexOf(`memory`):-1;for(let n of Yt(e)){if(u.length>=zi)break;e.type[n]!==p&&!f.has(n)&&L(t,n)&&d(n,!1)}return u}var Ji=`Graph. Arrow keys move, plus and minus zoom, 0 shows all, Tab goes through the best connected nodes, Enter opens one, E expands it, the menu key offers more.`,Yi=4,Xi=550,Zi=400,Qi=50,$i={width:168,height:112},ea=class extends O{#e=Zt;#t=gn(Zt,Qt,$t,`type`,0);#n=$t;#r={x:0,y:0,scale:1};#i={width:1,height:1};#a=null;#o=null;#s=100;#c=null;#l=null;#u=null;#d=0;#f=null;#p=null;#m=!1;#h=!1;#g=null;#_=null;#v=new Map;#y=null;#b;#x;#S;#C=new ResizeObserver(()=>this.#P());#w=matchMedia(`(prefers-color-scheme: dark)`);#T=()=>this.#I();render(){return C`
      <canvas class="picture-drawing"></canvas>
      <canvas class="picture-labels" tabindex="0" role="application" aria-roledescription="graph"
        aria-label=${Ji}
        @pointerdown=${this.#q} @pointermove=${this.#J}
        @pointerup=${this.#Y} @pointercancel=${this.#X}
        @pointerleave=${()=>this.#K(null)} @wheel=${this.#Z} @dblclick=${this.#Q}
        @contextmenu=${this.#$} @keydown=${this.#ee} @blur=${()=>this.#ne(null)}></canvas>
      <canvas class="picture-map" aria-hidden="true" @pointerdown=${this.#H}
        @pointermove=${e=>e.buttons===1&&this.#H(e)}></canvas>
    `}connectedCallback(){super.connectedCallback(),this.#w.addEventListener(`change`,this.#T)}disconnectedCallback(){super.disconnectedCallback(),this.#C.disconnect(),this.#w.removeEventListener(`change`,this.#T),cancelAnimationFrame(this.#d);for(let e of[this.#b,this.#S,this.#x])clearTimeout(e);this.#d=0,this.#c?.free(),this.#c=null}firstUpdated(){let e=this.#D(`drawing`);e.addEventListener(`webglcontextlost`,e=>e.preventDefault()),e.addEventListener(`webglcontextrestored`,()=>this.#E());let t=devicePixelRatio,n=this.#D(`map`);n.width=$i.width*t,n.height=$i.height*t,this.#E()}#E(){try{this.#c=new Tr(this.#D(`drawing`))}catch(e){this.#O(`broken`,e instanceof Error?e.message:String(e));return}this.#c.load(this.#e,this.#s),this.#c.shade(this.#t),this.#I(),this.#C.observe(this)}#D(e){return this.querySelector(`.picture-${e}`)}#O(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t}))}show(e,t){this.#e=e,t||(this.#s=wr(e)),this.#l=this.#u=this.#g=null,this.#f=this.#p=this.#o=null,this.#y=null,clearTimeout(this.#S),this.#c?.load(e,this.#s),t||(this.#m=!0)}shade(e,t){this.#t=e,this.#n=t,this.#g=null,this.#c?.shade(e),this.#m&&this.fit(),this.#N(),clearTimeout(this.#b),this.#b=setTimeout(()=>this.#W(),400)}fit(){let e=this.#k();if(!e)return;if(this.#i.width<=1){this.#m=!0;return}let t=pr(e,this.#i,48,90/this.#s),n=this.#m||this.#h;this.#m?this.#j(t):this.#M(t),this.#m=!1,this.#h=n}focusOn(e){let t=Math.max(this.#r.scale,45/this.#s);this.#M({x:this.#e.x[e],y:this.#e.y[e],scale:t}),this.#o=e}zoom(e,t={x:this.#i.width/2,y:this.#i.height/2}){this.#j(fr(this.#r,this.#i,t,e,this.#A()))}async png(){let[e,t]=[this.#D(`drawing`),this.#D(`labels`)],n=document.createElement(`canvas`);n.width=e.width,n.height=e.height,this.#L(performance.now());let r=n.getContext(`2d`);return r.drawImage(e,0,0),r.drawImage(t,0,0),new Promise((e,t)=>{n.toBlob(n=>n?e(n):t(Error(`could not make an image: the browser refused`)))})}#k(){return mr(this.#e.x,this.#e.y,e=>L(this.#t,e))}#A(){let e=mr(this.#e.x,this.#e.y),t=e?pr(e,this.#i).scale/4:.001;return[Math.min(t,90/this.#s),500/this.#s]}#j(e){this.#h=!1,this.#_=null,this.#o=null,this.#r=e,this.#N()}#M(e){if(matchMedia(`(prefers-reduced-motion: reduce)`).matches)return this.#j(e);this.#o=null,this.#h=!1,this.#_={from:this.#r,to:e,start:performance.now()},this.#N()}#N(){this.#d===0&&this.isConnected&&(this.#d=requestAnimationFrame(e=>this.#L(e)))}#P(){let e=this.getBoundingClientRect();if(e.width<1||e.height<1)return;this.#i={width:e.width,height:e.height};let t={x:e.x+e.width/2,y:e.y+e.height/2};if(this.#a&&this.#o===null){let e={x:t.x-this.#a.x,y:t.y-this.#a.y},n=t=>dr(t,-e.x,-e.y);this.#r=n(this.#r),this.#_&&={...this.#_,from:n(this.#_.from),to:n(this.#_.to)}}this.#a=t,clearTimeout(this.#x),this.#x=setTimeout(()=>this.#F(),Zi);for(let t of[`drawing`,`labels`]){let n=this.#D(t);n.width=Math.round(e.width*devicePixelRatio),n.height=Math.round(e.height*devicePixelRatio)}this.#m&&this.fit(),this.#L(performance.now())}#F(){if(this.#h)return this.fit();let{selected:e}=this.#n;if(e===null)return;let t={x:this.#e.x[e],y:this.#e.y[e]},n=lr(this.#r,this.#i,t);n.x>0&&n.y>0&&n.x<this.#i.width&&n.y<this.#i.height||this.#M({...this.#r,...t})}#I(){this.#c?.colours(Sn(xn(this.#w.matches))),this.#g=null,this.#N()}#L(e){if(cancelAnimationFrame(this.#d),this.#d=0,this.#c){if(this.#_){let{from:t,to:n,start:r}=this.#_,i=Math.min(1,Math.max(0,(e-r)/220)),a=i*(2-i),o=(e,t)=>e+(t-e)*a;this.#r={x:o(t.x,n.x),y:o(t.y,n.y),scale:t.scale*(n.scale/t.scale)**a},i<1?this.#N():this.#_=null}this.#c.frame(this.#r,this.#i,devicePixelRatio),this.#R(),this.#V()}}#R(){let e=this.#D(`labels`).getContext(`2d`),t=xn(this.#w.matches);e.setTransform(devicePixelRatio,0,0,devicePixelRatio,0,0),e.clearRect(0,0,this.#i.width,this.#i.height),e.font=`12px system-ui, sans-serif`,e.textAlign=`center`,e.textBaseline=`middle`,e.lineJoin=`round`,e.lineWidth=3,e.strokeStyle=t[rn],e.fillStyle=t[an];let n=qi(this.#e,this.#t,this.#r,this.#i,this.#s,this.#z(),this.#B());for(let t of n.reverse())e.globalAlpha=t.faded?.35:1,e.strokeText(t.text,t.x,t.y),e.fillText(t.text,t.x,t.y);e.globalAlpha=1;let r=this.#p??this.#f;if(r!==null){let n=lr(this.#r,this.#i,{x:this.#e.x[r],y:this.#e.y[r]});e.strokeStyle=t[nn],e.lineWidth=2,e.beginPath(),e.arc(n.x,n.y,_r(this.#s,this.#r.scale,this.#e.degree[r])+5,0,7),e.stroke()}}*#z(){this.#p!==null&&(yield this.#p),this.#f!==null&&(yield this.#f),this.#n.selected!==null&&(yield this.#n.selected),yield*this.#n.pathNodes}*#B(){let{selected:e}=this.#n;if(e===null)return;let t=qt(this.#e,e).subarray(0,40);for(let n of t)_n(this.#t,n)&&(yield Xt(this.#e,n,e))}#V(){let e=this.#D(`map`),t=e.width/$i.width,n=e.getContext(`2d`),r={width:e.width,height:e.height};if(!this.#g){let t=this.#k();if(!t)return n.clearRect(0,0,e.width,e.height);let i=n.createImageData(e.width,e.height),a=pr(t,r,8),o=Sn(xn(this.#w.matches));for(let t=0;t<this.#e.nodes;t+=1){if(!L(this.#t,t))continue;let n=lr(a,r,{x:this.#e.x[t],y:this.#e.y[t]}),s=(Math.round(n.y)*e.width+Math.round(n.x))*4,c=this.#t.nodes[t*4]*3;for(let e=0;e<3;e+=1)i.data[s+e]=o[c+e]*255;i.data[s+3]=255}this.#g={image:i,bounds:t}}n.putImageData(this.#g.image,0,0);let i=pr(this.#g.bounds,r,8),a=hr(this.#r,this.#i),o=lr(i,r,{x:a.left,y:a.top}),s=lr(i,r,{x:a.right,y:a.bottom});n.strokeStyle=xn(this.#w.matches)[nn],n.lineWidth=1.5*t,n.strokeRect(o.x,o.y,s.x-o.x,s.y-o.y)}#H=e=>{let t=this.#D(`map`);if(!this.#g)return;let n=t.width/$i.width,r={width:t.width,height:t.height},i={x:e.offsetX*n,y:e.offsetY*n};this.#j({...this.#r,...ur(pr(this.#g.bounds,r,8),r,i)})};#U(e){let t={x:e.offsetX,y:e.offsetY},{scale:n}=this.#r,r=ur(this.#r,this.#i,t),i=this.#W().nodes.at(r,37/n,e=>L(this.#t,e)?(_r(this.#s,n,this.#e.degree[e])+3)/n:-1);return{node:i,edge:i===null?this.#G(r):null,at:t}}#W(){let{x:e,y:t,from:n,to:r}=this.#e;return this.#l??={nodes:new Ti(e,t),edges:new Ei(e,t,n,r)}}#G(e){let{scale:t}=this.#r,n=this.#u??=Cr(this.#e);return this.#W().edges.at(e,5/t,e=>_n(this.#t,e)?n[e]*5/t:null,15/t)}#K(e){let t=e?this.#U(e):{node:null,edge:null,at:{x:0,y:0}};t.node!==this.#f&&(this.#f=t.node,this.#N()),this.#D(`labels`).classList.toggle(`pointing`,t.node!==null||t.edge!==null),this.#O(`hover`,t)}#q=e=>{if(this.#h=!1,e.button!==0)return;this.#D(`labels`).setPointerCapture(e.pointerId);let t={x:e.offsetX,y:e.offsetY};if(this.#v.set(e.pointerId,t),this.#ne(null),clearTimeout(this.#S),this.#v.size===1){let n=this.#U(e);this.#y={start:t,node:n.node,moved:!1,spread:0},e.pointerType===`touch`&&(this.#S=setTimeout(()=>{this.#y=null,this.#O(`menu`,n)},Xi))}else if(this.#v.size===2){let[e,n]=[...this.#v.values()];this.#y={start:t,node:null,moved:!0,spread:Math.hypot(e.x-n.x,e.y-n.y)}}};#J=e=>{if(!this.#v.get(e.pointerId)){e.pointerType!==`touch`&&this.#K(e);return}let t={x:e.offsetX,y:e.offsetY};if(!this.#y||!this.#y.moved&&Math.hypot(t.x-this.#y.start.x,t.y-this.#y.start.y)<Yi)return;clearTimeout(this.#S),this.#y.moved=!0;let n=()=>{let e=[...this.#v.values()];return{x:e.reduce((e,t)=>e+t.x,0)/e.length,y:e.reduce((e,t)=>e+t.y,0)/e.length}},r=n();if(this.#v.set(e.pointerId,t),this.#y.node!==null){let{x:e,y:n}=ur(this.#r,this.#i,t);this.#e.x[this.#y.node]=e,this.#e.y[this.#y.node]=n,this.#c?.move(this.#y.node,e,n),this.#N();return}let i=n(),a=dr(this.#r,i.x-r.x,i.y-r.y);if(this.#v.size===2){let[e,t]=[...this.#v.values()],n=Math.max(1,Math.hypot(e.x-t.x,e.y-t.y));this.#y.spread>0&&(a=fr(a,this.#i,i,n/this.#y.spread,this.#A())),this.#y.spread=n}this.#j(a)};#Y=e=>{let t=this.#y;this.#X(e),t&&(t.moved?t.node!==null&&(this.#l=this.#g=null,this.#O(`moved`,{node:t.node}),this.#N()):this.#O(`choose`,this.#U(e)))};#X=e=>{this.#v.delete(e.pointerId),clearTimeout(this.#S);let t=this.#v.values().next().value;this.#y=t?{start:t,node:null,moved:!0,spread:0}:null};#Z=e=>{e.preventDefault();let t=e.deltaY*(e.deltaMode===1?18:1)*(e.ctrlKey?8:1),n=Math.exp(-Math.max(-240,Math.min(240,t))*.0016);this.zoom(n,{x:e.offsetX,y:e.offsetY})};#Q=e=>{let t=this.#U(e);t.node===null?this.zoom(2,t.at):this.#O(`open`,t)};#$=e=>{e.preventDefault(),e instanceof PointerEvent&&e.pointerType===`touch`||this.#O(`menu`,this.#U(e))};#ee=e=>{if(e.ctrlKey||e.metaKey||e.altKey)return;let t={ArrowLeft:[70,0],ArrowRight:[-70,0],ArrowUp:[0,70],ArrowDown:[0,-70]}[e.key];if(t)this.#j(dr(this.#r,...t));else if(e.key===`+`||e.key===`=`)this.zoom(1.25);else if(e.key===`-`)this.zoom(.8);else if(e.key===`0`)this.fit();else if(e.key===`Tab`){if(!this.#te(e.shiftKey?-1:1))return}else if(e.key===`Escape`&&this.#p!==null)this.#ne(null);else{let t=this.#p??this.#n.selected;if(t===null)return;let n={node:t,edge:null,at:lr(this.#r,this.#i,{x:this.#e.x[t],y:this.#e.y[t]})};if(e.key===`Enter`||e.key===` `)this.#O(`choose`,n);else if(e.key===`e`)this.#O(`open`,n);else if(e.key===`ContextMenu`||e.key===`F10`&&e.shiftKey)this.#O(`menu`,n);else return}e.preventDefault()};#te(e){let t=[],n=hr(this.#r,this.#i);for(let e of Yt(this.#e)){let[r,i]=[this.#e.x[e],this.#e.y[e]];if(r>=n.left&&r<=n.right&&i>=n.top&&i<=n.bottom&&L(this.#t,e)&&t.push(e)===Qi)break}let r=this.#p===null?-1:t.indexOf(this.#p),i=r<0?e>0?0:-1:r+e,a=t[i];return this.#ne(a??null),a!==void 0&&(this.#O(`reached`,{node:a,place:i+1,of:t.length}),!0)}#ne(e){e!==this.#p&&(this.#p=e,this.#N())}};customElements.define(`griot-picture`,ea);var ta=32,na=10,ra=[{name:`Name`,text:(e,t)=>e.labels.at(t)},{name:`Type`,text:(e,t)=>e.head.types[e.type[t]]},{name:`Edges`,text:(e,t)=>e.degree[t].toLocaleString(`en`),value:(e,t)=>e.degree[t]},{name:`Community`,text:(e,t)=>aa(e,t)},{name:`Source`,text:(e,t)=>e.head.sources[e.source[t]]?.name??``},{name:`Time`,text:(e,t)=>z(e.time[t]),value:(e,t)=>e.time[t]}],ia=[{name:`From`,text:(e,t)=>e.labels.at(e.from[t])},{name:`Kind`,text:(e,t)=>V(e.head.kinds[e.kind[t]])},{name:`To`,text:(e,t)=>e.labels.at(e.to[t])},{name:`Weight`,text:(e,t)=>e.weight[t].toFixed(2),value:(e,t)=>e.weight[t]},{name:`Confidence`,text:(e,t)=>B(e.confidence[t]),value:(e,t)=>e.confidence[t]},{name:`Since`,text:(e,t)=>z(e.from_time[t]),value:(e,t)=>e.from_time[t]}];function aa(e,t){let n=e.community[t];return n===4294967295?``:e.head.communities.find(e=>e.id===n)?.label??String(n)}function oa(e,t,n,r){let i=r?-1:1,{value:a}=n;if(a)return t.slice().sort((t,n)=>{let[r,o]=[a(e,t),a(e,n)];return Number.isNaN(r)||Number.isNaN(o)?Number(Number.isNaN(r))-Number(Number.isNaN(o)):i*(r-o)||t-n});let{compare:o}=new Intl.Collator(`en`),s=new Map;for(let r of t)s.set(r,n.text(e,r));return t.slice().sort((e,t)=>{let[n,r]=[s.get(e),s.get(t)];return n===``||r===``?Number(n===``)-Number(r===``):i*o(n,r)||e-t})}var sa=class extends O{static{this.properties={graph:{attribute:!1},shade:{attribute:!1},selected:{},edge:{},of:{state:!0},by:{state:!0},down:{state:!0},top:{state:!0},height:{state:!0}}}#e=new Uint32Array;constructor(){super(),this.selected=this.edge=``,this.of=`nodes`,this.by=2,this.down=!0,this.top=0,this.height=600}willUpdate(e){if(![`graph`,`shade`,`of`,`by`,`down`].some(t=>e.has(t)))return;let[t,n]=this.of===`nodes`?[this.graph.nodes,L]:[this.graph.edges,_n],r=new Uint32Array(t),i=0;for(let e=0;e<t;e+=1)n(this.shade,e)&&(r[i++]=e);this.#e=oa(this.graph,r.subarray(0,i),this.#t()[this.by],this.down)}#t(){return this.of===`nodes`?ra:ia}render(){let e=this.#t(),t=Math.max(0,Math.floor(this.top/ta)-na),n=Math.min(this.#e.length,Math.ceil((this.top+this.height)/ta)+na),r=e=>C`
      <button aria-pressed=${this.of===e?`true`:`false`}
        @click=${()=>this.#a(e)}>${e}</button>`;return C`
      <div class="row table-tabs">${r(`nodes`)}${r(`edges`)}
        <span class="quiet">${this.#e.length.toLocaleString(`en`)} shown</span></div>
      <div class="scroll grow" tabindex="0" role="region" aria-label="Table" @scroll=${this.#i}>
        <table class="graph-table" aria-rowcount=${this.#e.length+1}>
          <thead><tr aria-rowindex="1">${e.map((e,t)=>C`
            <th scope="col" aria-sort=${t===this.by?this.down?`descending`:`ascending`:`none`}>
              <button class="link" @click=${()=>this.#o(t)}>
                ${e.name}${t===this.by?this.down?` ↓`:` ↑`:``}</button>
            </th>`)}</tr></thead>
          <tbody>
            ${this.#r(t,e.length)}
            ${[...this.#e.subarray(t,n)].map((n,r)=>this.#n(n,t+r,e))}
            ${this.#r(this.#e.length-n,e.length)}
          </tbody>
        </table>
      </div>
    `}#n(e,t,n){let r=this.of===`nodes`?this.graph.handles.at(e):Ut(this.graph,e),i=r===(this.of===`nodes`?this.selected:this.edge);return C`
      <tr aria-rowindex=${t+2} aria-selected=${i?`true`:w} @click=${()=>this.dispatchEvent(new CustomEvent(this.of===`nodes`?`select`:`select-edge`,{detail:r}))}>
        ${n.map((t,n)=>C`<td dir="auto">${n===0?C`<button class="link clip" dir="auto">${t.text(this.graph,e)}</button>`:t.text(this.graph,e)}</td>`)}
      </tr>`}#r(e,t){return e<=0?w:C`<tr aria-hidden="true"><td colspan=${t} class="space" height=${e*ta}></td></tr>`}#i=e=>{let t=e.target;this.top=t.scrollTop,this.height=t.clientHeight};#a(e){this.of=e,this.by=e===`nodes`?2:3,this.down=!0,this.top=0,this.querySelector(`.scroll`).scrollTop=0}#o(e){this.down=this.by===e&&!this.down,this.by=e}};customElements.define(`griot-graph-table`,sa);var ca=200,la=500,ua=class{#e=null;#t;#n=new Map;#r;#i=new AbortController;constructor(e){this.#t=e,e.addController(this)}hostDisconnected(){this.#o()}hostUpdated(){let e=this.#t.querySelector(`.tip`);if(!this.#e||!e)return;let{at:t}=this.#e,n=e.closest(`.explorer-stage`).getBoundingClientRect();e.style.left=`${Math.max(4,Math.min(t.x+14,n.width-e.offsetWidth-4))}px`;let r=t.y+16,i=Math.max(4,t.y-e.offsetHeight-10);e.style.top=`${r+e.offsetHeight>n.height?i:r}px`}show(e,{node:t,edge:n,at:r}){this.#o();let i=oi(e,t,n);if(i.length===0)return this.hide();let a=n===null?``:e.edgeHandles.at(n);this.#s({at:r,lines:i,more:this.#n.get(a)??[]}),a===``||this.#n.has(a)||(this.#r=setTimeout(()=>void this.#a(a),ca))}hide(){this.#o(),this.#e&&this.#s(null)}view(){if(!this.#e)return w;let{lines:e,more:t}=this.#e;return C`<div class="tip" role="tooltip">${[...e,...t].map(e=>C`<div dir="auto">${e}</div>`)}</div>`}async#a(e){let{signal:t}=this.#i=new AbortController;try{let n=da(await M.client.edge({name:e,...R()},{signal:t}));this.#n.size>la&&this.#n.clear(),this.#n.set(e,n),this.#e&&!t.aborted&&this.#s({...this.#e,more:n})}catch{}}#o(){clearTimeout(this.#r),this.#i.abort()}#s(e){this.#e=e,this.#t.requestUpdate()}};function da(e){let t=e.evidence.slice(0,2).flatMap(e=>e.quote??e.reason??[]);return[...e.label===``?[]:[`label ${e.label}`],...e.keywords.length===0?[]:[`keywords ${e.keywords.join(`, `)}`],`stated by ${e.provenance}`,...t.map(e=>`“${e.slice(0,140)}”`),...e.expires_at?[`expires ${e.expires_at.slice(0,10)}`]:[]]}var fa=2e4,pa=2e3,ma=25,ha=300;async function ga(e,t){let{nodes:n}=await M.client.graphLayout(e,{signal:t});if(n>fa)return n;let{counts:r}=await M.client.status(e,{signal:t});return r.memories+r.entities}var _a=class extends O{static{this.properties={graph:{state:!0},shade:{state:!0},loading:{state:!0},why:{state:!0},broken:{state:!0},path:{state:!0},said:{state:!0},news:{state:!0},note:{state:!0},menu:{state:!0},side:{state:!0},total:{state:!0},dark:{state:!0}}}#e=En(T().parameters);#t={selected:null,edge:null,pathNodes:new Set,pathEdges:new Set,pinned:new Set,opened:new Set};#n=Zt;#r=``;#i=null;#a=new AbortController;#o=new Map;#s=new Set;#c=``;#l=null;#u=null;#d=null;#f=new Set;#p;#m=new ua(this);#h=new vi(this,()=>(this.#r=``,this.#x()),e=>this.why=U(e));#g=``;constructor(){super(),this.graph=Zt,this.loading=!1,this.why=this.broken=this.said=this.note=``,this.path=null,this.news=0,this.menu=null,this.total=null,F(this),this.side=matchMedia(`(min-width: 900px)`).matches;let e=matchMedia(`(prefers-color-scheme: dark)`);this.dark=e.matches,this.#y(),k(this,e,`change`,()=>this.dark=e.matches),k(this,window,`hashchange`,()=>this.#_()),k(this,window,`keydown`,e=>{let{key:t,target:n,defaultPrevented:r}=e,i=n instanceof HTMLElement&&n.matches(`input, select, textarea`),a=this.#e.selected!==``||this.#e.edge!==``;t===`Escape`&&!r&&a&&!i&&D({sel:void 0,edge:void 0},!0)}),k(this,M,`changed`,e=>this.#D(e.detail)),k(this,M,`connected`,()=>void this.#x(!0))}connectedCallback(){super.connectedCallback();let{selected:e,around:t}=this.#e;t.includes(e)||(this.#g=e),this.#_()}disconnectedCallback(){super.disconnectedCallback(),this.#a.abort(),clearTimeout(this.#p)}#_(){if(T().page!==`explore`&&T().page!==``)return;let e=this.#e;this.#e=En(T().parameters),this.menu=null,this.#m.hide(),this.note=``;let{selected:t,around:n}=this.#e,r=n.includes(t)&&n.join()!==e.around.join();t!==e.selected&&!r&&(this.#g=t),this.#x(),this.#T(),this.#E(),this.#y(),this.requestUpdate()}#v(e){return e===``?null:I(this.graph,e)??null}#y(){let e=this.#e,t=e=>new Set([...e].flatMap(e=>this.#v(e)??[])),n=typeof this.path==`object`?this.path?.hops??[]:[],r=e=>Gt(this.graph).get(e);this.#t={selected:e.edge===``?this.#v(e.selected):null,edge:e.edge===``?null:r(e.edge)??null,pathNodes:t(n.flatMap(e=>[Ar(e.from),Ar(e.to)])),pathEdges:new Set(this.#l&&n.length>0?this.#b(this.#l,r):[]),pinned:t(e.pinned.keys()),opened:t(e.opened)},this.shade=gn(this.graph,e.filters,this.#t,e.colouring,this.graph.head.dim_below)}#b(e,t){return Array.from({length:e.edges},(n,r)=>t(Ut(e,r))??[]).flat()}async#x(e=!1,t=!1){let n=this.#e,r=this.total===null?null:this.#S(n,this.total);if(!e&&r!==null&&r===(this.#i??this.#r))return;this.#a.abort(),this.#i=null;let{signal:i}=this.#a=new AbortController;try{if((this.total===null||e)&&(this.total=await ga(n.scope,i),i.aborted))return;let r=this.#S(n,this.total);if(r===this.#r&&!e)return;this.#i=r,this.loading=!t;let a=Bt(await(await M.request(r,{signal:i})).arrayBuffer());if(i.aborted)return;let o=this.#r===r?this.graph:null;this.#n=a,this.#r=r,this.#f.clear(),this.news=0,this.why=``,e&&this.#o.clear(),this.#C(o),e&&this.#T(),this.#h.watch(r,a.head.layout===`computed`)}catch(e){i.aborted||(this.why=U(e))}finally{i.aborted||(this.loading=!1,this.#i=null)}}#S(e,t){return jn(e,!kn(e)&&!e.whole&&t>fa)}#C(e){let{pinned:t,opened:n}=this.#e,r=n.flatMap(e=>{let t=this.#o.get(e);return t?[{anchor:e,graph:t}]:[]});if(this.#l&&this.#l.nodes>0){let e=this.#l,t=Array.from({length:e.nodes},(t,n)=>e.handles.at(n)).find(e=>I(this.#n,e)!==void 0);r.push({anchor:t??null,graph:e})}let i=e&&e.nodes>0?Nr(this.#n,e):()=>void 0;this.graph=Er(this.#n,r,e=>t.get(e)??i(e)),this.#y(),this.#w()?.show(this.graph,e!==null&&e.nodes>0)}#w(){return this.querySelector(`griot-picture`)}async#T(){let e=this.#e.opened,t=!1;for(let n of this.#o.keys())e.includes(n)||(this.#o.delete(n),t=!0);t&&this.#r!==``&&this.#C(this.graph);let n=e.filter(e=>!this.#o.has(e)&&!this.#s.has(e));await Promise.all(n.map(async e=>{this.#s.add(e);try{let t=Bt(await(await M.request(An(this.#e,e,ha))).arrayBuffer());if(!this.#e.opened.includes(e))return;this.#o.set(e,t);let n=this.graph.nodes;this.#r!==``&&this.#C(this.graph),this.said=`Expanded: ${K(this.graph.nodes-n,`more node`)}.`;let r=this.#v(e);r!==null&&this.graph.degree[r]>ha&&t.nodes>=ha&&(this.note=`${this.graph.labels.at(r)} has ${K(this.graph.degree[r],`edge`)}; the ${ha} best connected of its neighbours are shown.`)}catch(t){this.why=`Could not expand: ${U(t)}`,D({open:this.#e.opened.filter(t=>t!==e)})}finally{this.#s.delete(e)}}))}async#E(){let{pathFrom:e,pathTo:t,filters:n,asOf:r,scope:i}=this.#e,a=e===``||t===``?``:JSON.stringify([e,t,n.confidence,r,i]);if(a===this.#c)return;this.#c=a;let o=this.#l!==null;if(this.path=this.#l=null,a!==``)try{let o=await M.client.path({source:e,target:t,min_confidence:n.confidence,...r===``?{}:{now:r},...i});if(this.#c!==a)return;this.path=o,this.#l=o.found?jr(o.hops):null,this.said=o.found?`A path of ${K(o.hops.length,`step`)}.`:`No path was found.`}catch(e){this.#c===a&&(this.path=U(e))}(o||this.#l)&&this.#r!==``&&this.#C(this.graph)}#D(e){if(!(e.revision<=this.#n.head.revision)){for(let t of[...e.handles,...e.entities,...e.edges,...e.removed_edges])this.#f.add(t);clearTimeout(this.#p),this.#p=setTimeout(()=>{this.graph.nodes<=pa&&this.#f.size<=ma?this.#x(!0,!0):this.news=this.#f.size},800)}}#O(e){D({sel:e,edge:void 0},!0)}#k(e){D({edge:e,sel:void 0},!0)}#A=e=>{let{node:t,edge:n}=e.detail;this.#g=``,t===null?n===null?(this.#e.selected!==``||this.#e.edge!==``)&&(D({sel:void 0,edge:void 0},!0),this.said=`Nothing is selected.`):(this.#k(Ut(this.graph,n)),this.said=`Selected an edge: ${oi(this.graph,null,n).join(`, `)}.`):(D({sel:this.graph.handles.at(t),edge:void 0},!0),this.#g=``,this.said=`Selected ${this.#j(t)}.`)};#j(e){let t=K(this.graph.degree[e],`edge`);return`${this.graph.labels.at(e)}, ${this.#M(e)}, ${t}`}#M(e){return this.graph.head.types[this.graph.type[e]]??``}#N=e=>{let{node:t}=e.detail;t!==null&&this.#P(this.graph.handles.at(t))};#P(e){let t=this.#v(e);if(t!==null){if(this.#M(t)===`community`)return Nn({community:String(this.graph.community[t])});D({open:Pn(this.#e.opened,e)},!0)}}#F(e){let t=this.#v(e);t!==null&&this.#I(t,!this.#e.pinned.has(e))}#I(e,t){let n=new Map(this.#e.pinned),r=this.graph.handles.at(e);t?n.set(r,{x:this.graph.x[e],y:this.graph.y[e]}):n.delete(r),D({pin:[...n].map(([e,t])=>Dn(e,t))})}#L=e=>{this.#I(e.detail.node,!0)};#R=e=>{let{node:t,edge:n,at:r}=e.detail;this.#m.hide();let i=(e,t)=>()=>location.hash=E(e,{...this.#e.scope,...t});if(t!==null){let e=this.graph.handles.at(t),n=this.graph.labels.at(t),a=this.#e.opened.includes(e),o=this.#M(t)===`community`?[{label:`Open community`,run:()=>this.#P(e)}]:[{label:`Inspect`,run:()=>this.#O(e)},{label:a?`Collapse`:`Expand`,run:()=>this.#P(e)},{label:`Show only what is around it`,run:()=>Nn({around:e,sel:e})},{label:`Find in memory`,run:i(`ask`,{q:n})},{label:`Path from here`,run:()=>D({from:e},!0)},{label:`Path to here`,run:()=>D({to:e},!0)}];o.push({label:`Hide`,run:()=>D({hide:[...this.#e.filters.hidden,e]},!0)},{label:this.#e.pinned.has(e)?`Unpin`:`Pin`,run:()=>this.#F(e)}),this.menu={at:r,subject:n,choices:o}}else if(n!==null){let e=Ut(this.graph,n),t=this.graph.head.kinds[this.graph.kind[n]];this.menu={at:r,subject:V(t),choices:[{label:`Inspect`,run:()=>this.#k(e)},{label:`Hide all ${V(t)}`,run:()=>D({no:[...this.#e.filters.without,`kind:${t}`]},!0)}]}}else{let e=this.#e.filters.hidden.size;this.menu={at:r,subject:`Picture`,choices:[{label:`Show all of it`,run:()=>this.#w()?.fit()},...e>0?[{label:`Show ${K(e,`hidden node`)} again`,run:()=>D({hide:void 0},!0)}]:[],...this.#e.pinned.size>0?[{label:`Let go of all pins`,run:()=>D({pin:void 0},!0)}]:[]]}}};#z=e=>this.#m.show(this.graph,e.detail);async#B(e){let t=`griot-${M.workspace||`graph`}-${new Date().toISOString().slice(0,10)}`;try{if(e===`png`)return gi(await this.#w().png(),`${t}.png`);let n=si(this.graph,this.shade),r={json:()=>[li(n),`json`,`application/json`],graphml:()=>[fi(n),`graphml`,`application/xml`],nodes:()=>[ui(n.nodes),`nodes.csv`,`text/csv`],edges:()=>[ui(n.edges),`edges.csv`,`text/csv`]}[e]();gi(new Blob([r[0]],{type:`${r[2]};charset=utf-8`}),`${t}.${r[1]}`)}catch(e){this.why=U(e)}}updated(e){e.has(`shade`)&&this.#w()?.shade(this.shade,this.#t);let t=this.#v(this.#g);t!==null&&!this.#e.table&&this.graph.nodes>1&&(this.#g=``,this.#w()?.focusOn(t))}render(){let e=this.#e;this.#u&&this.#d?.[0]===this.graph&&this.#d[1]===e.colouring||(this.#u=zn(this.graph,e.colouring),this.#d=[this.graph,e.colouring]);let t=e.table||this.broken!==``;return C`
      <div class="explorer">
        <h1 class="unseen">Explore</h1>
        ${ar({view:e,graph:this.graph,shade:this.shade,loaded:this.#r!==``,large:(this.total??0)>fa,drawn:!t,side:this.side,toggleSide:()=>this.side=!this.side,zoom:e=>this.#w()?.zoom(e),fit:()=>this.#w()?.fit(),save:e=>void this.#B(e)})}
        <div class="explorer-body">
          ${this.side?this.#U(e):w}
          <div class="explorer-stage">
            <griot-picture class=${t?`gone`:``}
              @choose=${this.#A} @open=${this.#N} @menu=${this.#R}
              @hover=${this.#z} @moved=${this.#L}
              @reached=${e=>{let{node:t,place:n,of:r}=e.detail;this.said=`${this.#j(t)}, ${n} of ${r}.`}}
              @broken=${e=>this.broken=e.detail}></griot-picture>
            ${t?this.#V(e):w}
            ${this.#G(e)}
            ${t?w:this.#m.view()}
            ${this.menu?C`<griot-menu .at=${this.menu.at} .subject=${this.menu.subject}
                    .choices=${this.menu.choices} @closed=${()=>this.menu=null}></griot-menu>`:w}
          </div>
          ${e.selected!==``||e.edge!==``?this.#H(e):w}
        </div>
        <p class="unseen" role="status">${this.said}</p>
      </div>
    `}#V(e){return C`
      ${this.broken===``?w:C`<p class="card">There is no picture: ${this.broken}. The table shows the same.</p>`}
      <griot-graph-table .graph=${this.graph} .shade=${this.shade}
        .selected=${e.selected} .edge=${e.edge}
        @select=${e=>this.#O(e.detail)}
        @select-edge=${e=>this.#k(e.detail)}></griot-graph-table>`}#H(e){return C`
      <aside class="explorer-detail" aria-label="Details">
        <griot-detail .handle=${e.selected} .edge=${e.edge} .graph=${this.graph}
          .asOf=${e.asOf} .scope=${new URLSearchParams({...e.scope}).toString()}
          .shade=${this.shade} .revision=${this.#n.head.revision}
          @select=${e=>this.#O(e.detail)}
          @select-edge=${e=>this.#k(e.detail)}
          @closed=${()=>D({sel:void 0,edge:void 0},!0)}></griot-detail>
      </aside>`}#U(e){return C`
      <aside class="explorer-side" aria-label="Filters and overview">
        <button class="side-close" @click=${()=>this.side=!1}>Close</button>
        <details open><summary>Legend</summary>${Bn(e,this.#u,this.dark)}</details>
        <details><summary>Filters</summary>${Hn(e,this.#u,this.dark)}</details>
        <details ?open=${e.pathFrom!==``||e.pathTo!==``}><summary>Path</summary>
          ${Si(e,this.path,e=>{let t=this.#v(e);return t===null?e:this.graph.labels.at(t)},e=>this.#W(e))}</details>
        <details open><summary>Overview</summary>
          <griot-overview .revision=${this.#n.head.revision}
            @select=${e=>this.#W(e.detail)}></griot-overview></details>
      </aside>
    `}#W(e){this.#v(e)===null?Nn({around:e,sel:e}):this.#O(e)}#G(e){let t=this.why===``&&!this.loading,n=t&&this.total===0&&this.graph.nodes===0,r=this.#h.view(this.#r,this.graph.nodes),i=t&&!n&&this.#h.state===null&&this.#r!==``&&this.shade.shownNodes===0,a=e=>C`<p class="notice" role="status" dir="auto">${e}</p>`,o=()=>{this.why=``,this.#x(!0)};return C`
      <div class="notices">
        ${this.loading?a(`Loading…`):w}
        ${this.why===``?w:C`<p class="notice bad" role="alert">${this.why}
                <button @click=${o}>Try again</button></p>`}
        ${this.note===``?w:a(this.note)}
        ${this.news===0?w:a(C`${K(this.news,`change`)}. <button @click=${o}>Show them</button>`)}
        ${r===w?w:a(r)}
        ${n?va:w}
        ${i?a(Wn(e)?`The filters leave nothing.`:`There is nothing here.`):w}
      </div>
    `}},va=C`
  <div class="notice card">
    <h2>Nothing is stored yet</h2>
    <p>Write something down, drop a file, or connect an agent; then it shows here as a graph.</p>
    <p><a href=${E(`ask`)}>Ask or remember</a> · <a href=${E(`sources`)}>Add a source</a></p>
    <p><code>griot remember "We chose Postgres because of transactions"</code></p>
  </div>`;customElements.define(`griot-explorer`,_a);function ya(e){if(!e)return null;try{let t=new URL(e);return t.protocol===`http:`||t.protocol===`https:`?t.href:null}catch{return null}}function ba(e,t){return E(`sources`,{...R(),source:e,...t?{memory:t}:{}})}function Y(e,t){let{page:n,parameters:r}=T();return E(`ask`,{...n===`ask`?Object.fromEntries(r):R(),of:e,view:t})}function xa(e,t=60){if(e.length<=t)return e;let n=Math.floor((t-1)/2);return`${e.slice(0,n)}…${e.slice(-n)}`}function Sa(e){let t=e[0];return t?C`<ol class="steps">
    <li>${Ta(t.from)}</li>
    ${e.map(e=>C`<li>${Ea(e)}${Ta(e.to)}</li>`)}
  </ol>`:w}function Ca(e){let t=e.flatMap(e=>[e.from,e.to]).map(X);return E(`explore`,{around:[...new Set(t)]})}function wa(e,t,n=``){return He(`explore`)?C`${n}<a href=${e}>${t}</a>`:w}function X(e){return e.type===`memory`?e.name:e.id}function Ta(e){let t=Y(X(e),e.type===`memory`?`why`:`timeline`);return e.type===`memory`?C`<a class="node" href=${t}>
    <span class="handle">${e.name}</span> <span class="quiet">${G(e.occurred_at)}</span>
    <span class="clip words" dir="auto">${e.excerpt??``}</span>
  </a>`:C`<a class="node entity" href=${t}>
      <span class="clip">${e.name}</span> <span class="quiet">${e.entity_type??``}</span>
    </a>`}function Ea(e){return C`<details class="arrow">
    <summary>
      <span>${e.reads}</span>
      <svg viewBox="0 0 60 10" aria-hidden="true"><path d="M0 5h52M46 1l8 4-8 4" /></svg>
      <span class="quiet">${$n(e.confidence)}</span>
    </summary>
    <dl class="pairs">
      <dt>kind</dt><dd>${e.kind}${e.label?` (${e.label})`:``}, ${e.family}</dd>
      <dt>weight</dt><dd>${e.weight.toFixed(2)}</dd>
      <dt>from</dt><dd>${e.provenance}</dd>
      ${e.hours===null?w:C`<dt>hours</dt><dd>${e.hours.toFixed(1)}</dd>`}
      ${e.expires_at?C`<dt>expires</dt><dd>${G(e.expires_at)}</dd>`:w}
      ${e.evidence.map(e=>e.quote||e.reason?C`<dt>evidence</dt><dd dir="auto">${e.quote?C`<q>${e.quote}</q>`:w} ${e.reason}</dd>`:w)}
    </dl>
  </details>`}var Da=480;function Oa(e){return e.map(e=>e.marked?C`<mark>${e.text}</mark>`:C`${e.text}`)}function ka({words:e,tone:t,sign:n}){return C`<span class=${`chip ${t}`}><span aria-hidden="true">${n}</span> ${e}</span>`}var Aa=class extends O{static{this.properties={result:{},rank:{},terms:{},answer:{},moved:{},view:{},whole:{state:!0}}}constructor(){super(),this.whole=!1,this.moved=void 0,this.view=null,F(this)}render(){let{result:e,view:t}=this;return C`<article class="card answer" tabindex="-1" data-handle=${e.handle}
      aria-label=${`Answer ${this.rank}`}>
      <header class="row">
        <span class="rank">${this.rank}</span>
        ${e.standing?ka(Pr(e.standing)):w}
        ${e.standing?.by_handle?C`<a class="chip" href=${Y(e.standing.by_handle,`why`)}>
          by <span class="handle">${e.standing.by_handle}</span></a>`:w}
        <span class="chip">${e.kind}</span>
        ${e.tier===`working`?C`<span class="chip">expires ${G(e.expires_at)}</span>`:w}
        ${e.flags.map(e=>C`<span class="chip bad"><span aria-hidden="true">!</span>
          ${e===`secret`?`holds a key or password`:`gives orders to a model`}</span>`)}
        ${e.source.trust===`web`?C`<span class="chip warn"><span aria-hidden="true">⚐</span>
          from the web</span>`:w}
        ${this.#t()}
        <span class="grow"></span>
        <span class="score" title="Probability that it bears on the question">
          <meter min="0" max="1" .value=${e.score} aria-label="Probability"></meter>
            ${e.score.toFixed(2)}</span>
      </header>
      ${e.heading.length>0?C`<p class="quiet heading" dir="auto">${e.heading.join(` › `)}</p>`:w}
      ${this.#e()}
      <footer>
        <p class="quiet about">
          <span class="handle">${e.handle}</span>
          ${e.speaker?C`<span dir="auto" class="clip">${e.speaker}</span>`:w}
          ${Wr(e)?C`document of ${G(e.occurred_at)}`:G(e.occurred_at)}
          ${e.user?C`<span class="chip">user ${e.user}</span>`:w}
          ${e.project?C`<span class="chip">project ${e.project}</span>`:w}
          ${e.tags.map(e=>C`<span class="chip">${e}</span> `)}
          ${this.#n()}
        </p>
        <div class="row actions">
          ${P.may(`read`)?C`${this.#r(`why`,`Why`,t)}
            ${this.#r(`followed`,`What followed`,t)}
            ${this.#r(`timeline`,`Before and after`,t)}`:w}
          ${this.#r(`found`,`How it was found`,t)}
          <span class="grow"></span>
          ${P.may(`write`)?C`<griot-verdict .answer=${this.answer} .memory=${e.handle}></griot-verdict>`:w}
        </div>
      </footer>
      ${t===`found`?this.#i():t?C`<griot-story .name=${e.handle} .view=${t}></griot-story>`:w}
    </article>`}#e(){let e=ji(this.result.text),t=Mi(e,this.terms,this.whole?e.length:Da);return C`<p class="said" dir="auto">${t.cutBefore?`… `:``}${Oa(t.pieces)}${t.cutAfter?` …`:``}</p>
      ${e.length>Da?C`<button class="plain" aria-expanded=${this.whole}
        @click=${()=>this.whole=!this.whole}>${this.whole?`Show less`:`Show all`}</button>`:w}`}#t(){if(this.moved===void 0||this.moved===0)return w;if(this.moved===null)return C`<span class="chip good"><span aria-hidden="true">+</span>
      only here</span>`;let e=Math.abs(this.moved);return this.moved>0?C`<span class="chip"><span aria-hidden="true">↑</span> ${e} higher here</span>`:C`<span class="chip"><span aria-hidden="true">↓</span> ${e} lower here</span>`}#n(){let{source:e,cite:t,handle:n,also_in:r}=this.result,i=t??e.title??e.origin??e.id,a=ya(e.origin),o=(e,t,n)=>He(`sources`)?C`<a href=${ba(e,t)} title=${n} dir="auto">${xa(n)}</a>`:C`<span title=${n} dir="auto">${xa(n)}</span>`;return C`${o(e.id,n,i)}
      ${a?C`<a href=${a} target="_blank" rel="noopener noreferrer">open the page</a>`:w}
      ${r.map(e=>C`<span>also in
        ${o(e.source.id,e.handle,e.cite??e.source.origin??e.source.id)}</span> `)}`}#r(e,t,n){let r=n===e;return C`<button aria-expanded=${r}
      @click=${()=>D(r?{of:``,view:``}:{of:this.result.handle,view:e})}>${t}</button>`}#i(){let{result:e}=this;return C`<section class="found">
      <p>It is here because ${Ir(e)}.${e.entities.length>0?C` It shares with the question: ${e.entities.map(e=>C`<a class="chip"
          href=${Y(e,`timeline`)}>${e} over time</a> `)}`:w}</p>
      ${e.path.length>0?C`<h3>Path</h3>${Sa(e.path)}
          <p>${wa(Ca(e.path),`Show in graph`)}</p>`:C`<p class="quiet">No path over the graph was needed.
          ${wa(E(`explore`,{around:e.handle}),`Show in graph`)}</p>`}
      <h3>What the score is made of</h3>
      ${ja(e.signals)}
    </section>`}};function ja(e){let t=e.filter(e=>Math.abs(e.share)>=5e-4).sort((e,t)=>t.share-e.share),n=Math.max(...t.map(e=>Math.abs(e.share)),.001);return C`<table class="signals"><thead><tr><th scope="col">Signal</th><th scope="col">Measured</th>
    <th scope="col">Adds</th><th><span class="unseen">Share</span></th></tr></thead>
    <tbody>${t.map(e=>C`<tr><td>${J(e.name)}</td><td>${e.value.toFixed(2)}</td>
      <td>${e.share.toFixed(3)}</td>
      <td><meter min="0" .max=${n}
        .value=${Math.abs(e.share)} aria-label=${J(e.name)}></meter></td>
    </tr>`)}</tbody></table>`}var Ma=class extends O{static{this.properties={answer:{},memory:{},given:{state:!0}}}#e=new N(this);constructor(){super(),this.memory=void 0,this.given=null}render(){let e=this.memory?`This`:`The whole answer`,t=(t,n,r)=>C`<button aria-pressed=${this.given===t}
      title=${`${e} ${t?`helped`:`did not help`}`} ?disabled=${this.#e.busy}
      @click=${()=>this.#t(t)}><span aria-hidden="true">${r}</span> ${n}</button>`;return C`<span class="verdict row" role="group" aria-label=${`Feedback: ${e}`}>
      ${this.memory?w:C`<span class="quiet">The whole answer:</span>`}
      ${t(!0,`helped`,`▲`)}${t(!1,`did not`,`▼`)}
      <span class="quiet" role="status">${this.#e.value??``}</span>${H(this.#e.failure)}
    </span>`}#t(e){this.given=e,this.#e.send(async t=>{let n=this.memory?[this.memory]:[],{credited:r}=await M.client.feedback({answer:this.answer,memories:n,good:e},{signal:t}),i=r.some(e=>e.strategy===`hybrid_graph`);return r.length===0?`not counted`:i?`counted for the graph`:`counted`})}};customElements.define(`griot-card`,Aa),customElements.define(`griot-verdict`,Ma);function Na(e){let t=e.map(e=>e.hops.map(e=>e.edge??`${e.from.id} ${e.kind} ${e.to.id}`));return e.filter((e,n)=>{let r=t[n];return!t.some((e,t)=>t!==n&&(e.length>r.length||e.length===r.length&&t<n)&&r.every(t=>e.includes(t)))})}function Pa(e,t){let n=e=>e===null?null:Date.parse(e),r=e.flatMap(e=>[n(e.valid_from),n(e.valid_to)]).filter(e=>e!==null),i=e.map(e=>Date.parse(e.recorded_at)),a=Math.min(...r,...i,t),o=Math.max(...r,t),s=Math.max(1,o-a),c=new Map;for(let t of e){let e=n(t.valid_from)??a,r=n(t.valid_to??t.superseded_at)??o,i={fact:t,at:(e-a)/s,share:Math.max(0,r-e)/s,begins:t.valid_from!==null,ends:t.valid_to!==null||t.superseded_at!==null};c.set(t.predicate,[...c.get(t.predicate)??[],i])}return{rows:[...c].map(([e,t])=>({predicate:e,spans:t.sort((e,t)=>e.at-t.at)})),from:a,until:o}}function Fa(){let{page:e,parameters:t}=T(),n=e===`ask`?t.get(`as_of`)?.trim():void 0;return n?{now:n}:{}}var Ia=class extends O{static{this.properties={name:{},view:{}}}#e=new N(this);#t=``;constructor(){super(),this.name=``,this.view=`why`}willUpdate(){let e={...R(),...Fa()},t=JSON.stringify([this.view,this.name,e]);if(t===this.#t)return;this.#t=t;let{name:n,view:r}=this,i=n.startsWith(`#`)||/^[0-9a-f]{8}-/.test(n);this.#e.value=null,this.#e.ask(async t=>{if(r!==`timeline`){let i=r===`followed`?`consequences`:`causes`;return{why:await M.client.why({name:n,direction:i,...e},{signal:t})}}return i?{timeline:await M.client.timeline({anchor:n,...e},{signal:t})}:{entity:await M.client.entity({name:n,limit:30,...e},{signal:t})}})}render(){let{value:e,failure:t,busy:n}=this.#e;return C`<div class="story">
      ${H(t)}
      ${n&&!e?C`<p class="quiet">Looking…</p>`:w}
      ${e?`why`in e?this.#n(e.why):`timeline`in e?this.#r(e.timeline):this.#i(e.entity):w}
    </div>`}#n(e){let t=this.view===`followed`,n=Na(t?e.consequences:e.causes),r=t?`What followed`:`Why`;return n.length===0?C`<div class="steps">${Ta(e.start)}</div>
        <p class="quiet">${t?`Nothing is known to have followed from it.`:`No other memory is known as its cause; its own text may say why.`}
        ${wa(E(`explore`,{around:this.name}),`Look around it in the graph`)}</p>`:C`<h3>${r}</h3>
      ${n.map(e=>C`<div class="chain">
        <p class="quiet">Certain to ${$n(e.confidence)}${e.prevents?` · a step prevents`:``} ${wa(Ca(e.hops),`show in graph`,`· `)}</p>
        ${Sa(e.hops)}</div>`)}
      ${e.cycles.length>0?C`<p class="warn">The causes form a circle${He(`review`)?C`;
        <a href=${E(`review`,{kind:`warning`})}>review it</a>`:w}.</p>`:w}
      ${e.truncated?C`<p class="warn">There is more: the walk stopped at its bound.</p>`:w}`}#r({before:e,anchor:t,after:n}){let r=(e,t)=>C`<li class=${t?`here`:``}
      aria-current=${t?`true`:w}>
      <span class="quiet">${G(e.occurred_at)}</span>
      <a class="handle" href=${Y(e.handle,`why`)}>${e.handle}</a>
      ${e.speaker?C`<strong class="clip">${e.speaker}</strong>`:w}
      <span class="clip two" dir="auto">${e.text}</span></li>`;return C`<h3>Before and after</h3>
      <ol class="events">${e.map(e=>r(e,!1))}${t?r(t,!0):w}
        ${n.map(e=>r(e,!1))}</ol>`}#i({entity:e,facts:t,mentions:n,mention_count:r}){let i=[...n].sort((e,t)=>e.occurred_at.localeCompare(t.occurred_at)),[a,o]=[i.filter(e=>!Wr(e)),i.filter(Wr)],s=(e,t)=>C`<li>
      <span class="quiet">${t}</span>
      <a class="handle" href=${Y(e.handle,`why`)}>${e.handle}</a>
      <span class="clip two" dir="auto">${e.text}</span></li>`;return C`<h3><span class="clip">${e.name}</span> over time
      <span class="quiet">${e.type}</span></h3>
      <p class="quiet">First mentioned ${G(e.first_seen)}, last ${G(e.last_seen)} ·
        <a href=${Y(e.id,`why`)}>why</a> ·
        <a href=${Y(e.id,`followed`)}>what followed</a>
        ${wa(E(`explore`,{around:e.id}),`show in graph`,`· `)}</p>
      ${t.length>0?La(t):C`<p class="quiet">No fact about it is known.</p>`}
      ${r>n.length?C`<p class="quiet">The latest ${n.length} of ${r} mentions:</p>`:w}
      ${a.length>0?C`<h3>Said about it</h3>
        <ol class="events">${a.map(e=>s(e,G(e.occurred_at)))}</ol>`:w}
      ${o.length>0?C`<h3>In documents</h3>
        <ul class="events">${o.map(e=>s(e,w))}</ul>`:w}`}};function La(e){let{rows:t,from:n,until:r}=Pa(e,Date.now()),i=e=>new Date(e).toISOString();return C`<div class="values">
    ${t.map(({predicate:e,spans:t})=>C`<div class="value-row"><span class="quiet">${J(e)}</span>
      <ul>${t.map(e=>C`<li class=${e.fact.current?``:`past`}>
        <svg class="bar-of-time" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">${Se`
          <rect class="axis" x="0" y="2.5" width="100" height="1"></rect>
          <rect class=${e.fact.current?`now`:`then`} x=${e.at*100} y="0.5"
            width=${Math.max(.8,e.share*100)} height="5"></rect>`}</svg>
        <span><strong class="clip" dir="auto">${e.fact.object}</strong>
          <span class="quiet">${e.begins?C`from ${G(e.fact.valid_from)}`:`begin not known`}
          ${e.ends?C`until ${G(e.fact.valid_to??e.fact.superseded_at)}`:`until now`}</span>
          ${e.fact.current?C`<span class="chip good"><span aria-hidden="true">✓</span> holds</span>`:w}
          ${e.fact.contradicts.length>0?Ra():w}</span></li>`)}</ul></div>`)}
    <p class="quiet ends"><span>${W(i(n))}</span><span>${W(i(r))}</span></p>
  </div>`}function Ra(){let e=C`<span aria-hidden="true">≠</span> contradicted`;return He(`review`)?C`<a class="chip bad" href=${E(`review`,{kind:`conflict`})}>${e}</a>`:C`<span class="chip bad">${e}</span>`}customElements.define(`griot-story`,Ia);var za=[[`why`,`Why`],[`followed`,`What followed`],[`timeline`,`Over time`]];function Ba(e,t){let n=new Map(t.map((e,t)=>[e.id,t]));return new Map(e.map((e,t)=>{let r=n.get(e.id);return[e.id,r===void 0?null:r-t]}))}function Va(e){return C`
    <p class="quiet summary">
      ${K(e.results.length,`answer`)} from ${K(e.candidates,`candidate`)},
      about ${K(e.tokens,`token`)}. Understood as ${Hr(e.understanding)}.
        ${Br(e.rollout)}.
      ${e.understanding.times.map(e=>C`<span class="chip">${e.words}:
        ${G(e.interval.start)} to ${G(e.interval.end)}</span> `)}
      ${e.understanding.entities.map(e=>C`<a class="chip"
        href=${Y(e.id,`timeline`)}>${e.name} over time</a> `)}
    </p>
    ${e.missing.map(e=>C`<p class="warn">Not used: ${e}</p>`)}
  `}function Ha(e){return e.chains.length===0?w:C`<section class="card"><h2>Cause and effect</h2>
    ${e.chains.map(e=>C`<div class="chain">
      <p class="quiet">Certain to ${$n(e.confidence)}
        ${wa(Ca(e.hops),`show in graph`,`· `)}</p>
      ${Sa(e.hops)}</div>`)}
  </section>`}function Ua(e,t){let n=t?Ba(e.results,t.results):null,{parameters:r}=T(),i=e=>r.get(`of`)===e.handle?r.get(`view`)??`why`:null;return C`<ol class="cards">${e.results.map((t,r)=>C`<li>
    <griot-card .result=${t} .rank=${r+1} .view=${i(t)}
      .terms=${e.understanding.terms}
      .answer=${e.rollout.id} .moved=${n?n.get(t.id)??null:void 0}></griot-card>
  </li>`)}</ol>`}function Wa(e,t){return e.length===0&&t===0?w:C`<details class="card"><summary>${K(e.length,`standing rule`)} of this scope</summary>
    <ul>${e.map(e=>C`<li><span class="handle">${e.handle}</span>
      <span dir="auto">${e.text}</span> ${e.relevant?C`<span class="chip">relevant</span>`:w}</li>`)}
    </ul>
    ${t>0?C`<p class="quiet">${K(t,`rule`)} left out for their length.</p>`:w}
  </details>`}function Ga(e){return e.length===0?w:C`<details class="card trace"><summary>${K(e.length,`candidate`)} left out,
    and why</summary>
    <div class="scroll" tabindex="0" role="region" aria-label="Candidates left out"><table>
      <thead><tr><th scope="col">Score</th><th scope="col">Why</th><th scope="col">Memory</th></tr></thead>
      <tbody>${e.map(({memory:e,score:t,reason:n})=>C`<tr>
        <td>${t.toFixed(2)}</td><td>${Rr(n)}</td>
        <td><a class="handle" href=${Y(e.handle,`why`)}>${e.handle}</a>
          <span class="quiet">${G(e.occurred_at)}</span>
            <span class="clip two" dir="auto">${e.text}</span></td>
      </tr>`)}</tbody></table></div>
  </details>`}function Ka(e){return C`<div class="card silent"><p>Nothing stored here answers that.</p>
    <p class="quiet">${e}</p></div>`}function qa(e,t){return C`<section class="card" data-story aria-label=${`About ${e}`}>
    <div class="row actions"><strong class="grow handle clip">${e}</strong>
      ${za.map(([e,n])=>C`<button aria-pressed=${e===t}
        @click=${()=>D({view:e})}>${n}</button>`)}
      <button @click=${()=>D({of:``,view:``})}>Close</button></div>
    <griot-story .name=${e} .view=${t}></griot-story>
  </section>`}var Ja=class extends O{static{this.properties={uploads:{state:!0},over:{state:!0}}}#e=!1;constructor(){super(),this.uploads=[],this.over=!1}render(){return C`<div class=${`drop ${this.over?`over`:``}`}
      @dragover=${e=>{e.preventDefault(),this.over=!0}}
      @dragleave=${()=>this.over=!1}
      @drop=${e=>{e.preventDefault(),this.over=!1,this.#n([...e.dataTransfer?.files??[]])}}>
      <label>Tags, with commas between <input name="tags" autocomplete="off"></label>
      <label>Project <input name="project" autocomplete="off" placeholder="none in particular"></label>
      <label class="files">Drop files here, or choose them
        <input type="file" multiple @change=${e=>{let t=e.target;this.#n([...t.files??[]]),t.value=``}}></label>
      <ul role="status" class="uploads">${this.uploads.map(e=>C`<li>
        <span class="clip">${e.file.name}</span> ${this.#t(e)}</li>`)}</ul>
    </div>`}#t({state:e,stored:t,why:n}){if(e===`failed`)return C`<span class="bad">${n}</span>`;if(e!==`stored`||!t)return C`<span class="quiet">${e}…</span>`;let r=t.unchanged>0&&t.added===0?`has not changed`:`${K(t.added,`memory`,`memories`)}, ${K(t.entities,`new entity`,`new entities`)}`,i=[...t.failed.map(e=>e.message),...Object.keys(t.unread).map(e=>`files ${e} are not read`)];return C`<span class="good">${r}</span>
      ${t.flagged>0?C`<span class="warn">${K(t.flagged,`memory`,`memories`)} hold a key, a password or orders to
        a model</span>`:w}
      ${i.map(e=>C`<span class="bad">${e}</span> `)}
      ${t.sourceId?C`<a href=${E(`sources`,{source:t.sourceId})}>show</a>`:w}`}#n(e){this.uploads=[...e.map(e=>({file:e,state:`waiting`,stored:null,why:``})),...this.uploads],this.#r()}async#r(){if(!this.#e){this.#e=!0;for(let e=this.#i();e;e=this.#i()){e.state=`sending`,this.requestUpdate();try{e.stored=await this.#a(e.file),e.state=`stored`}catch(t){e.state=`failed`,e.why=Zn(t).why}this.requestUpdate()}this.#e=!1,P.load(),this.dispatchEvent(new Event(`stored`,{bubbles:!0}))}}#i(){return this.uploads.findLast(e=>e.state===`waiting`)}async#a(e){let t=new FormData,n=e=>this.querySelector(`input[name=${e}]`)?.value.trim()??``;n(`tags`)!==``&&t.append(`tags`,n(`tags`)),n(`project`)!==``&&t.append(`project`,n(`project`));let{user:r}=R();return r&&t.append(`user`,r),M.workspace!==``&&t.append(`tenantId`,M.workspace),t.append(`file`,e,e.name),await(await M.request(`/api/knowledge/ingest`,{method:`POST`,body:t})).json()}};customElements.define(`griot-upload`,Ja);var Ya=class extends O{#e=new N(this);render(){let e=this.#e.value;return C`<section class="start" aria-label="An empty workspace">
      <p>This workspace is empty. Three ways to put something into it:</p>
      <div class="ways">
        ${P.may(`write`)?C`<form class="card" @submit=${e=>{e.preventDefault();let t=e.target,n=String(new FormData(t).get(`text`)).trim();n!==``&&this.#t(n)}}>
          <h2>Remember a text</h2>
          <label><span class="unseen">Text</span><textarea name="text" rows="4" dir="auto" required
            placeholder="We moved sessions to Redis because Postgres was too slow."></textarea></label>
          <button class="primary" ?disabled=${this.#e.busy}>Remember</button>
          ${H(this.#e.failure)}
          ${e?C`<p class="good" role="status">Stored as
            <span class="handle">${e.handle}</span>.
            <a href=${E(`ask`,{q:`why?`})}>Ask about it</a></p>`:w}
        </form>
        <div class="card"><h2>Drop a file</h2><griot-upload></griot-upload></div>`:C`<p class="card">
          The key of this tab may only read: somebody with the role write fills the workspace.</p>`}
        <div class="card"><h2>Connect an agent</h2>
          <p>On its machine, this connects the host program that is found there:</p>
          <pre><code>griot connect</code></pre>
          <p class="quiet"><code>griot connect --list</code> shows which there are.</p></div>
      </div>
    </section>`}async#t(e){await this.#e.send(t=>M.client.remember({text:e,source:`page`,...R()},{signal:t})),this.#e.value&&P.load()}};customElements.define(`griot-start`,Ya);var Xa=8;function Za(e){let t=t=>e.get(t)?.trim()??``;if(t(`q`)===``)return null;let n={query:t(`q`),rejected:!0};t(`as_of`)!==``&&(n.as_of=t(`as_of`)),Object.assign(n,R(e)),e.has(`trusted`)&&(n.trusted=!0),e.has(`superseded`)&&(n.superseded=!0),t(`source`)!==``&&(n.sources=[t(`source`)]);let r=t(`graph`);return{request:n,graph:r===`off`||r===`both`?r:``,answer:e.has(`answer`)}}var Qa=class extends O{static{this.properties={copied:{state:!0},changed:{state:!0}}}#e=new N(this);#t=new N(this);#n=new N(this);#r=new N(this);#i=new N(this);#a=``;#o=``;constructor(){super(),this.copied=null,this.changed=!1,k(this,window,`hashchange`,()=>this.#s()),k(this,M,`changed`,()=>this.changed=this.#e.value!==null),F(this),Pt(this,()=>Za(T().parameters)===null&&this.#c())}connectedCallback(){super.connectedCallback(),this.#a=``,this.#s()}#s(){if(T().page!==`ask`)return;this.requestUpdate();let e=Za(T().parameters),t=JSON.stringify(e);if(t===this.#a)return;this.#a=t,this.copied=null,this.changed=!1;for(let e of[this.#e,this.#t,this.#n,this.#r])e.forget();if(e===null){this.#c();return}let{request:n,graph:r,answer:i}=e,a=e=>t=>M.client.recall({...n,...e},{signal:t});if(this.#e.ask(a(r===`off`?{no_graph:!0}:r===`both`?{graph:!0}:{})),r===`both`&&this.#t.ask(a({no_graph:!0})),!i)return;let o=r===`off`?{no_graph:!0}:{};this.#n.ask(e=>M.client.answer({...n,...o},{signal:e,timeoutMs:18e4}))}#c(){this.#i.ask(e=>M.client.memories({limit:Xa,...R()},{signal:e}))}updated(){let e=T().parameters.get(`of`)??``;if(e===this.#o)return;let t=this.querySelector(`section[data-story]`);(e===``||t||!this.#e.busy)&&(this.#o=e,t?.scrollIntoView({block:`nearest`}))}#l(){this.#a=``,this.#s()}render(){let{parameters:e}=T(),t=e.get(`of`),n=this.#e.value?.results.some(e=>e.handle===t)??!1;return C`
      <h1>Ask</h1>
      ${P.isEmpty?C`<griot-start></griot-start>`:this.#u(e)}
      ${t&&!n&&!this.#e.busy?qa(t,e.get(`view`)??`why`):w}
      ${H(this.#e.failure)}
      ${Za(e)||t||P.isEmpty?w:this.#f()}
      <div aria-live="polite">${this.#p()}</div>
      ${e.has(`answer`)?this.#g():w}
      ${this.#e.value?this.#m(this.#e.value):w}
      ${this.#y()}
    `}#u(e){let t=t=>e.get(t)??``,n=[`user`,`project`,`trusted`,`superseded`,`source`].some(t=>e.has(t));return C`<form class="card ask" role="search" @submit=${e=>{e.preventDefault(),this.#d(e.target)}}>
      <div class="row">
        <label class="grow"><span class="unseen">Question</span>
          <input name="q" type="search" dir="auto" required autocomplete="off" .value=${t(`q`)}
            placeholder="What do you want to know? Why was it decided? What changed?">
        </label>
        <button class="primary">Ask</button>
      </div>
      <div class="row fields">
        <label>As of <input name="as_of" .value=${t(`as_of`)} placeholder="today, 2026-03, last week"
          size="24"></label>
        <label>Graph
          <select name="graph" .value=${t(`graph`)}>
            <option value="" ?selected=${t(`graph`)===``}>used</option>
            <option value="off" ?selected=${t(`graph`)===`off`}>not used</option>
            <option value="both" ?selected=${t(`graph`)===`both`}>both, side by side</option>
          </select>
        </label>
        ${P.status?.language_model||e.has(`answer`)?C`<label class="inline"><input name="answer" type="checkbox" .checked=${e.has(`answer`)}>
            let the language model answer</label>`:w}
      </div>
      <details class="more" ?open=${n}>
        <summary>Scope</summary>
        <div class="row fields">
          <label>User <input name="user" .value=${t(`user`)} size="14" placeholder="any"></label>
          <label>Project <input name="project" .value=${t(`project`)} size="14" placeholder="any"></label>
          <label>Source <input name="source" .value=${t(`source`)} size="14"
            placeholder="any, such as s4"></label>
          <label class="inline"><input name="trusted" type="checkbox" .checked=${e.has(`trusted`)}>
            without the web</label>
          <label class="inline"><input name="superseded" type="checkbox"
            .checked=${e.has(`superseded`)}>
            with what was replaced</label>
        </div>
      </details>
    </form>`}#d(e){let t=new FormData(e),n=e=>String(t.get(e)??``).trim(),r=e=>t.has(e)?`1`:``;D({q:n(`q`),as_of:n(`as_of`),graph:n(`graph`),user:n(`user`),project:n(`project`),source:n(`source`),answer:r(`answer`),trusted:r(`trusted`),superseded:r(`superseded`),of:``,view:``},!0),this.changed&&this.#l()}#f(){let e=P.status?.top_entities??[];return C`${H(this.#i.failure)}
      ${e.length>0?C`<section><h2>What it knows most about</h2>
        <p class="things">${e.map(({entity:e,degree:t})=>C`<a class="chip" dir="auto"
          href=${Y(e.id,`timeline`)}>${e.name} <span class="quiet">${t}</span></a> `)}</p>
      </section>`:w}
      ${this.#i.value&&this.#i.value.length>0?C`<section><h2>Stored last</h2>
        <ol class="events">${this.#i.value.map(e=>C`<li>
          <span class="quiet">${G(e.recorded_at)}</span>
          <a class="handle" href=${Y(e.handle,`why`)}>${e.handle}</a>
          <span class="clip two" dir="auto">${e.text}</span></li>`)}</ol></section>`:w}`}#p(){if(this.#e.busy)return C`<p class="quiet">Asking…</p>`;let e=this.#e.value;return e?C`
      ${this.changed?C`<p class="warn">The memory has changed since.
            <button @click=${()=>this.#l()}>Ask again</button></p>`:w}
      ${Va(e)}
    `:w}#m(e){let t=Za(T().parameters)?.graph===`both`,n=t?this.#t.value:null;return C`
      ${e.abstained===null?w:Ka(e.abstained)}
      ${Ha(e)}
      <div class="row actions">
        ${e.results.length>0?C`<button @click=${()=>this.#v()} ?disabled=${this.#r.busy}>Copy as
            context</button>`:w}
        ${P.may(`write`)?C`<griot-verdict .answer=${e.rollout.id}></griot-verdict>`:w}
      </div>
      ${H(this.#r.failure)}
      ${t?C`<div class="beside">
          ${this.#h(`With the graph`,e,n)}
          ${n?this.#h(`Without the graph`,n,e):C`<div>${H(this.#t.failure)}<p class="quiet">Asking without the graph…</p></div>`}
        </div>`:Ua(e,null)}
      ${Wa(e.rules,e.rules_left_out)}
      ${Ga(e.rejected)}
    `}#h(e,t,n){return C`<section><h2>${e}</h2>
      <p class="quiet">${Br(t.rollout)}.</p>
      ${t.abstained&&t!==this.#e.value?Ka(t.abstained):w}
      ${Ua(t,n)}</section>`}#g(){let{value:e,failure:t,busy:n}=this.#n;if(n)return C`<p class="quiet" role="status">The language model is asked…</p>`;if(t!==null){let{why:e,hint:n}=Zn(t);return C`<section class="card silent"><p>${e.includes(`no language model is set`)?`No language model is set for this server, so nothing is put into words:
          the memories below are the answer.`:e}</p>${n?C`<p class="quiet">${n}</p>`:w}</section>`}return e?C`<section class="card spoken"><h2>Answer of ${e.model.name}</h2>
      ${e.failure?C`<p class="bad">${e.failure.why}</p>
        <p class="quiet">${e.failure.hint??``}</p>`:w}
      ${e.abstained?C`<p>${e.abstained}</p>`:w}
      <p dir="auto">${e.statements.map(e=>C`<span class=${e.supported?``:`unsupported`}>${e.text}</span>
        ${e.citations.map(e=>C`<button class="cite handle" @click=${()=>this.#_(e)}>${e}</button> `)}
        ${e.invented.map(e=>C`<span class="bad">cites ${e}, which it was not given</span> `)}
        ${e.supported?w:C`<span class="warn">(no citation)</span> `}`)}</p>
      ${e.truncated?C`<p class="warn">The reply was cut; statements may be missing.</p>`:w}
      ${e.withheld.length>0?C`<p class="quiet">Not sent to the model: ${e.withheld.map(e=>`${e.handle} (${e.reason})`).join(`, `)}</p>`:w}
      <p class="quiet">${K(e.model.input_tokens,`token`)} sent,
        ${K(e.model.output_tokens,`token`)} received${e.model.cost===null?``:`, cost ${e.model.cost}`}
        ${e.model.kept?`(a kept reply)`:``}</p>
    </section>`:C``}#_(e){let t=this.querySelector(`[data-handle="${CSS.escape(e)}"]`);t?.scrollIntoView({block:`center`}),t?.focus()}async#v(){let e=Za(T().parameters);if(!e)return;let{rejected:t,...n}=e.request;await this.#r.ask(t=>M.client.context({...n,...e.graph===`off`?{no_graph:!0}:{}},{signal:t}));let r=this.#r.value?.text;if(r===void 0)return;let i=await navigator.clipboard?.writeText(r).then(()=>!0,()=>!1)??!1;this.copied={text:r,inClipboard:i},await this.updateComplete,this.querySelector(`dialog.context`)?.showModal()}#y(){return this.copied?C`<dialog class="context" aria-label="Context" @close=${()=>this.copied=null}>
      <p role="status">${this.copied.inClipboard?`Copied. This is in the clipboard:`:`Copy this text:`}</p>
      <textarea readonly rows="16" aria-label="Context for a language model"
        .value=${this.copied.text}></textarea>
      <form method="dialog"><button class="primary">Close</button></form>
    </dialog>`:w}};customElements.define(`griot-ask`,Qa);var $a=[`queued`,`running`],eo=1e3,to=1e4,no=2e4;function ro(e){return $a.includes(e.state)}function io(e){return Math.min(e.discovered,e.processed+e.failed+e.skipped)}function ao(e,t){let n=e[0],r=e.at(-1);if(!n||!r||r.at===n.at||r.done===n.done)return{rate:null,left:null};let i=(r.done-n.done)*1e3/(r.at-n.at);return{rate:i,left:Math.max(0,t-r.done)/i}}var Z=new class extends EventTarget{constructor(...e){super(...e),this.list=[],this.failure=null,this.#e=new Map,this.#t=0}#e;#t;#n;pace(e){return ao(this.#e.get(e.id)??[],e.counts.discovered)}of(e){let t=this.list.find(t=>t.target===e);return t&&t.state!==`done`?t:null}follow(){this.#t+=1,this.#t===1&&this.load()}unfollow(){--this.#t,this.#t===0&&clearTimeout(this.#n)}async load(){clearTimeout(this.#n);try{this.list=await M.client.jobs(),this.failure=null}catch(e){this.failure===null&&jt(e),this.failure=e}for(let e of this.list)this.#r(e);this.dispatchEvent(new Event(`told`)),clearTimeout(this.#n),this.#t!==0&&(this.#n=setTimeout(()=>void this.load(),this.list.some(ro)?eo:to))}#r(e){if(e.state!==`running`){this.#e.delete(e.id);return}let t=performance.now(),n=(this.#e.get(e.id)??[]).filter(e=>t-e.at<no);this.#e.set(e.id,[...n,{at:t,done:io(e.counts)}])}};function oo(e){k(e,Z,`told`,()=>e.requestUpdate()),k(e,M,`connected`,()=>void Z.load()),e.addController({hostConnected:()=>Z.follow(),hostDisconnected:()=>Z.unfollow()})}var so={queued:{words:`waiting`,tone:`quiet`,sign:`…`},running:{words:`running`,tone:`good`,sign:`▶`},paused:{words:`paused`,tone:`warn`,sign:`‖`},done:{words:`done`,tone:`good`,sign:`✓`},failed:{words:`failed`,tone:`bad`,sign:`✕`},cancelled:{words:`cancelled`,tone:`quiet`,sign:`–`}};function co(e){return ka(so[e]??{words:e,tone:`quiet`,sign:`•`})}function lo(e){return ro(e)?[`pause`,`cancel`]:e.state===`paused`?[`resume`,`cancel`]:e.state===`failed`||e.state===`done`&&e.counts.failed>0?[`retry`]:[]}var uo={pause:`Pause`,resume:`Resume`,cancel:`Cancel`,retry:`Retry`},fo=class extends O{static{this.properties={most:{},all:{state:!0}}}#e=new N(this);constructor(){super(),this.most=5,this.all=!1,oo(this),F(this)}render(){let e=Z.list,t=this.all?e:e.filter((e,t)=>t<this.most||ro(e));return C`${H(Z.failure)}${H(this.#e.failure)}
      ${e.length===0&&Z.failure===null?C`<p class="quiet">No jobs yet.</p>`:w}
      <ul class="jobs">${t.map(e=>this.#t(e))}</ul>
      ${t.length<e.length?C`<button @click=${()=>this.all=!0}>Show all ${e.length}</button>`:w}`}#t(e){let{counts:t}=e,{rate:n,left:r}=Z.pace(e),i=t.discovered>0,a=n===null?``:` · ${n.toFixed(+(n<10))} a second`,o=r===null||!ro(e)?``:` · ${Qn(r)} left of what is known`,s=[K(t.memories,`memory`,`memories`),...t.unchanged>0?[`${t.unchanged} unchanged`]:[],...t.skipped>0?[`${t.skipped} skipped`]:[],...t.duplicates>0?[K(t.duplicates,`duplicate`)]:[],...t.gone>0?[`${t.gone} gone`]:[],...t.dropped>0?[`${t.dropped} beyond the limits`]:[]].join(`, `),c=ya(e.target);return C`<li class="job" data-job=${e.id}>
      <div class="row"><span class="handle">${e.id}</span> ${e.kind} ${co(e.state)}
        <span class="grow clip" title=${e.target} dir="auto">${c?C`<a href=${c} target="_blank" rel="noopener noreferrer">${xa(e.target,80)}</a>`:xa(e.target,80)}</span>
        ${P.may(`write`)?lo(e).map(t=>C`<button ?disabled=${this.#e.busy}
          @click=${()=>this.#n(e,t)}>${uo[t]}</button>`):w}</div>
      ${i&&ro(e)?C`<progress max=${t.discovered} .value=${io(t)}
        aria-label=${`Progress of ${e.id}`}></progress>`:w}
      <p class="quiet">${i?`${io(t)} of ${t.discovered}${a}${o} · `:``}${s} ·
        ${G(e.updated_at)}${e.every_hours?` · again every ${e.every_hours} h`:``}</p>
      ${e.errors.length>0?C`<details><summary class="bad">${K(e.errors.length,`error`)}</summary>
        <ul>${e.errors.map(e=>C`<li><span dir="auto">${e.url}</span>:
          ${e.error}</li>`)}</ul></details>`:w}
    </li>`}async#n({id:e},t){let{client:n}=M,r={pause:n.pauseJob,resume:n.resumeJob,cancel:n.cancelJob,retry:n.retryJob};await this.#e.send(i=>r[t].call(n,{name:e},{signal:i})),this.dispatchEvent(new Event(`watch`,{bubbles:!0})),await Z.load()}};customElements.define(`griot-jobs`,fo);function po(e){let t=t=>String(e.get(t)??``).trim(),n=e=>t(e).split(/[\n,]/).map(e=>e.trim()).filter(e=>e!==``),r={url:t(`url`)};t(`mode`)!==``&&(r.mode=t(`mode`));for(let e of[`max_pages`,`depth`,`every_hours`])t(e)!==``&&(r[e]=Number(t(e)));for(let e of[`allow`,`block`,`tags`])n(e).length>0&&(r[e]=n(e));return t(`project`)!==``&&(r.project=t(`project`)),e.has(`prune`)&&(r.prune=!0),r}var mo=class extends O{#e=new N(this);render(){let e=this.#e.value;return C`<form class="crawl" @submit=${e=>{e.preventDefault(),this.#t(new FormData(e.target))}}>
      <label>Address of a page <input name="url" type="url" required
        placeholder="https://example.org/docs/"></label>
      <div class="row fields">
        <label>Read <select name="mode">
          <option value="">as the settings say</option>
          <option value="single">this page</option>
          <option value="sitemap">the site, by its sitemap</option>
          <option value="recursive">the site, by its links</option>
        </select></label>
        <label>Most pages <input name="max_pages" type="number" min="1" placeholder="settings"></label>
        <label>Depth of links <input name="depth" type="number" min="0" placeholder="settings"></label>
      </div>
      <label>Tags, with commas between <input name="tags" autocomplete="off"></label>
      <details><summary>Patterns, project and repetition</summary>
        <label>Only addresses like these, one a line
          <textarea name="allow" rows="2" placeholder="/docs/**"></textarea></label>
        <label>None like these, one a line
          <textarea name="block" rows="2" placeholder="/docs/old/**"></textarea></label>
        <div class="row fields">
          <label>Project <input name="project" size="14"></label>
          <label>Again after hours <input name="every_hours" type="number" min="0.1" step="any"
            placeholder="never"></label>
          <label class="inline"><input name="prune" type="checkbox"> forget pages that are gone</label>
        </div>
      </details>
      <button class="primary" ?disabled=${this.#e.busy}>Read it</button>
      ${H(this.#e.failure)}
      ${e?C`<p class="good" role="status">Started as job <span class="handle">${e.id}</span>.</p>`:w}
    </form>`}async#t(e){await this.#e.send(t=>M.client.crawl(po(e),{signal:t})),this.#e.failure===null&&this.dispatchEvent(new Event(`watch`,{bubbles:!0})),await Z.load()}};customElements.define(`griot-crawl`,mo);var ho=100;function go(e,t,n){let r=e.findIndex(e=>e.handle===t),i=r<n?0:r-Math.floor(ho/4);return{from:i,list:e.slice(i,i+n)}}function _o(e){return[[e.memories,`memory`,`memories`],[e.vectors,`vector`,`vectors`],[e.entities,`entity that only it mentions`,`entities that only it mentions`],[e.sources,`source`,`sources`],[e.edges,`edge`,`edges`],[e.facts,`fact`,`facts`],[e.evidence,`piece of evidence of what stays`,`pieces of evidence of what stays`],[e.spellings,`spelling of a name`,`spellings of names`],[e.merges,`entry of the merges`,`entries of the merges`],[e.job_rows,`row of a job`,`rows of jobs`],[e.replies,`kept reply of a language model`,`kept replies of a language model`],[e.copies,`copy of the database`,`copies of the database`]].filter(([e])=>e>0).map(([e,t,n])=>K(e,t,n))}function vo({first:e,last:t}){return e===t?`line ${e}`:`lines ${e}–${t}`}var yo=class extends O{static{this.properties={name:{},memory:{},most:{state:!0},asking:{state:!0},sure:{state:!0}}}#e=new N(this);#t=new N(this);#n=new N(this);#r=new N(this);#i=new N(this);#a=new N(this);#o=new N(this);#s=``;#c=``;constructor(){super(),this.name=``,this.memory=null,this.most=ho,this.asking=null,this.sure=!1,Pt(this,()=>this.#l()),F(this),oo(this)}willUpdate(){this.name!==this.#s&&(this.#s=this.name,this.most=ho,this.#l())}#l(){let{name:e}=this;this.#e.ask(t=>M.client.source({name:e,...R()},{signal:t})),this.#t.ask(t=>M.client.sourceGraph({name:e,limit:40,...R()},{signal:t}))}updated(){if(!this.memory||this.memory===this.#c)return;let e=this.querySelector(`[data-memory="${CSS.escape(this.memory)}"]`);e&&(this.#c=this.memory,e.scrollIntoView({block:`center`}),e.focus({preventScroll:!0}))}render(){let e=this.#e.value;return C`${H(this.#e.failure)}
      ${e?C`${this.#u(e.source)}${this.#d()}${this.#f(e.memories)}`:this.#e.busy?C`<p class="quiet">Looking…</p>`:w}
      ${e?this.#p(e.source):w}`}#u(e){let{source:t}=e,n=ya(t.origin),r=Z.of(t.origin),i=e=>P.may(e);return C`<section class="card">
      <h2 dir="auto">${t.title??t.origin}</h2>
      <p class="quiet" dir="auto">${n?C`<a href=${n} target="_blank" rel="noopener noreferrer">${t.origin}</a>`:t.origin}</p>
      ${t.deleted_at?C`<p class="warn">Forgotten ${G(t.deleted_at)}: no answer has it.</p>`:w}
      <p>${t.kind} · ${K(e.memories,`memory`,`memories`)} · ${K(e.entities,`entity`,`entities`)} ·
        ${K(e.edges,`edge`)} · first read ${G(t.created_at)}, changed
          ${G(t.updated_at)}
        ${t.language?`· ${t.language}`:``} ${r?co(r.state):w}</p>
      ${Object.keys(t.metadata).length>0?C`<dl class="pairs">${Object.entries(t.metadata).map(([e,t])=>C`<dt dir="auto">${e}</dt><dd dir="auto">${t}</dd>`)}</dl>`:w}
      ${i(`write`)?C`<form class="row tags" @submit=${e=>{e.preventDefault();let t=String(new FormData(e.target).get(`tags`));this.#g(t.split(`,`).map(e=>e.trim()).filter(e=>e!==``))}}><label class="grow">Tags, with commas between <input name="tags"
        .value=${t.tags.join(`, `)}></label>
        <button ?disabled=${this.#n.busy}>Save tags</button>
        <span class="good" role="status">${this.#n.value?`Saved`:``}</span></form>`:C`<p>${t.tags.map(e=>C`<span class="chip">${e}</span> `)}</p>`}
      ${H(this.#n.failure)}
      <div class="row actions">
        <a href=${E(`explore`,{source:t.id})}>Show its graph</a>
        <a href=${E(`ask`,{source:t.id})}>Ask it</a>
        <span class="grow"></span>
        ${i(`write`)?t.deleted_at?C`<button ?disabled=${this.#a.busy} @click=${()=>this.#_()}>Restore it</button>`:C`${t.readable?C`<button ?disabled=${this.#r.busy} @click=${()=>this.#v()}>Read it again</button>`:w}
            <button @click=${()=>this.#m(`forget`)}>Forget…</button>`:w}
        ${i(`admin`)?C`<button class="danger" @click=${()=>this.#m(`erase`)}>Erase…</button>`:w}
      </div>
      ${H(this.#r.failure)}${H(this.#a.failure)}
      ${this.#r.value?C`<p role="status" class="good">Job
        <span class="handle">${this.#r.value.id}</span>
        reads it again; <a href=${E(`sources`)}>follow the jobs</a>.</p>`:w}
    </section>`}#d(){let e=this.#t.value;return!e||e.entity_count===0?H(this.#t.failure):C`<details class="card" open><summary>${K(e.entity_count,`entity`,`entities`)},
        ${K(e.relation_count,`relation`)}</summary>
      <p class="things">${e.entities.map(({entity:e,mentions:t})=>C`<a class="chip" dir="auto"
        href=${Y(e.id,`timeline`)}>${e.name} <span class="quiet">${t}</span></a> `)}
        ${e.entities.length<e.entity_count?C`<span class="quiet">and more</span>`:w}</p>
      ${e.relations.length>0?C`<ul class="relations">${e.relations.slice(0,20).map(e=>C`<li dir="auto">
        ${e.source.name} <em>${e.label||J(e.kind)}</em> ${e.target.name}</li>`)}</ul>`:w}
    </details>`}#f(e){let{from:t,list:n}=go(e,this.memory,this.most),r=e.length-t-n.length;return C`<section><h2>${K(e.length,`memory`,`memories`)}</h2>
      ${t>0?C`<button @click=${()=>D({memory:``})}>Show from the beginning</button>`:w}
      <ol class="memories" start=${t+1}>${n.map(e=>C`<li tabindex="-1" data-memory=${e.handle}
        class=${e.handle===this.memory?`here`:``}>
        <p class="quiet"><a class="handle" href=${Y(e.handle,`why`)}>${e.handle}</a>
          ${e.speaker??``} <span dir="auto">${e.heading.join(` › `)}</span>
          ${e.lines?vo(e.lines):w}
          ${G(e.occurred_at)}
          ${e.superseded_by?C`<span class="chip warn"><span aria-hidden="true">⟲</span>
            replaced</span>`:w}
          ${e.flags.map(e=>C`<span class="chip bad"><span aria-hidden="true">!</span>
            ${e}</span>`)}</p>
        <p class="said" dir="auto">${e.text}</p></li>`)}</ol>
      ${r>0?C`<button @click=${()=>this.most+=ho}>Show ${Math.min(r,ho)} more</button>`:w}
    </section>`}#p({source:e,memories:t,entities:n,edges:r}){let i=this.#i.value?.counts,a=this.asking===`erase`;return C`<dialog aria-labelledby="removal" @close=${()=>this.asking=null}>
      <h2 id="removal">${a?`Erase`:`Forget`} <span dir="auto">${e.title??e.origin}</span>?</h2>
      ${a?C`
        ${this.#i.busy?C`<p>Counting…</p>`:w}${H(this.#i.failure)}
        ${i?C`<p>This goes for good, from every file of the workspace:</p>
          <ul class="would">${_o(i).map(e=>C`<li>${e}</li>`)}</ul>
          ${i.same_texts>0?C`<p class="warn">${K(i.same_texts,`memory`,`memories`)} of other sources with the
            same text stay.</p>`:w}
          <label class="inline"><input type="checkbox" .checked=${this.sure}
            @change=${e=>this.sure=e.target.checked}>
            Nothing brings it back</label>`:w}`:C`<p>Hidden from every answer, until it is restored:</p>
          <ul class="would"><li>${K(t,`memory`,`memories`)}</li>
            <li>what only they say of ${K(n,`entity`,`entities`)}, over ${K(r,`edge`)}</li></ul>`}
      ${H(this.#o.failure)}
      <div class="row"><button @click=${()=>this.querySelector(`dialog`)?.close()}>Keep it</button>
        <button class="danger" ?disabled=${this.#o.busy||a&&(!i||!this.sure)}
          @click=${()=>this.#h(e.id,e.title??e.origin)}>${a?`Erase for good`:`Forget`}</button></div>
    </dialog>`}#m(e){let{name:t}=this;this.asking=e,this.sure=!1,this.#o.forget(),this.#i.forget(),e===`erase`&&this.#i.ask(e=>M.client.eraseSource({name:t,dry_run:!0,...R()},{signal:e})),this.querySelector(`dialog`)?.showModal()}async#h(e,t){let n=this.asking===`erase`;await this.#o.send(t=>n?M.client.eraseSource({name:e,...R()},{signal:t}):M.client.forget({name:e,...R()},{signal:t})),this.#o.failure===null&&(this.querySelector(`dialog`)?.close(),this.dispatchEvent(new CustomEvent(`gone`,{bubbles:!0,detail:{id:e,name:t,isForGood:n}})),P.load(),D({source:``,memory:``},!0))}async#g(e){await this.#n.send(t=>M.client.tagSource({name:this.name,tags:e,...R()},{signal:t})),this.#n.failure===null&&this.#l()}async#_(){await this.#a.send(e=>M.client.restore({name:this.name,...R()},{signal:e})),this.#l()}async#v(){await this.#r.send(e=>M.client.refreshSource({name:this.name,...R()},{signal:e})),await Z.load()}};customElements.define(`griot-source`,yo);var bo=200,xo=[{name:`name`,title:`Name`,by:e=>So(e).toLowerCase()},{name:`type`,title:`Type`,by:({source:e})=>e.kind},{name:`tags`,title:`Tags`,by:({source:e})=>e.tags.join(` `)},{name:`memories`,title:`Memories`,by:e=>e.memories,isNumber:!0},{name:`entities`,title:`Entities`,by:e=>e.entities,isNumber:!0},{name:`updated`,title:`Updated`,by:({source:e})=>e.updated_at},{name:`state`,title:`State`,by:({source:e})=>Z.of(e.origin)?.state??`stored`},{name:`trust`,title:`Trust`,by:({source:e})=>Co(e.kind)}];function So({source:e}){return e.title?.trim()||e.origin}function Co(e){return e===`page`?`web`:`own`}function wo(e,t){let n=(t.get(`filter`)??``).toLowerCase().split(/\s+/).filter(e=>e!==``),[r,i]=[t.get(`type`),t.get(`tag`)],a=e.filter(e=>{let{source:t}=e,a=`${t.id} ${t.origin} ${t.title??``} ${t.tags.join(` `)}`.toLowerCase();return n.every(e=>a.includes(e))&&(!r||t.kind===r)&&(!i||t.tags.includes(i))}),o=t.get(`sort`)??`-updated`,s=xo.find(e=>e.name===o.replace(/^-/,``))??xo[0],c=o.startsWith(`-`)?-1:1;return a.sort((e,t)=>{let[n,r]=[s.by(e),s.by(t)];return n<r?-c:n>r?c:0})}var To=class extends O{static{this.properties={most:{state:!0},gone:{state:!0},watching:{state:!0}}}#e=new N(this);#t=new N(this);#n=``;constructor(){super(),this.most=bo,this.gone=null,k(this,window,`hashchange`,()=>this.#r()),Pt(this,()=>this.#i()),k(this,this,`stored`,()=>this.#i()),this.watching=!1,k(this,this,`watch`,()=>this.watching=!0),k(this,this,`gone`,e=>{this.gone=e.detail,this.#i()}),F(this),oo(this)}connectedCallback(){super.connectedCallback(),this.#i()}#r(){T().page===`sources`&&(this.requestUpdate(),JSON.stringify(R())!==this.#n&&this.#i())}#i(){let e=R();this.#n=JSON.stringify(e),this.#e.ask(t=>M.client.sources(e,{signal:t}))}render(){let{parameters:e}=T(),t=e.get(`source`);return t?C`<h1><a href=${E(`sources`,{...R()})}>Sources</a> ›
        <span class="clip" dir="auto">${this.#a(t)}</span></h1>
        <griot-source .name=${t} .memory=${e.get(`memory`)}></griot-source>`:C`<h1>Sources</h1>
      ${this.#o()}
      ${H(this.#e.failure)}
      ${P.isEmpty?C`<griot-start></griot-start>`:w}
      ${P.may(`write`)?C`<div class="ways">
        ${P.isEmpty?w:C`<details class="card" ?open=${e.has(`add`)}>
          <summary>Add files</summary><griot-upload></griot-upload></details>`}
        <details class="card" ?open=${e.has(`add`)}><summary>Read a page or a site</summary>
          <griot-crawl></griot-crawl></details></div>`:w}
      ${Z.list.length>0?C`<details class="card" ?open=${this.watching||Z.list.some(ro)}>
        <summary>Jobs</summary><griot-jobs .most=${5}></griot-jobs></details>`:w}
      ${Cn()}
      ${this.#e.value&&this.#e.value.length>0?this.#s(this.#e.value,e):this.#e.busy?C`<p class="quiet">Looking…</p>`:w}`}#a(e){let t=this.#e.value?.find(({source:t})=>t.id===e);return t?So(t):e}#o(){if(!this.gone)return w;let{name:e,id:t,isForGood:n}=this.gone;return C`<div class="card row" role="status"><span class="grow clip">${e} ${n?`is erased`:`is forgotten`}.</span>
      ${n?w:C`<button ?disabled=${this.#t.busy} @click=${async()=>{await this.#t.send(e=>M.client.restore({name:t,...R()},{signal:e})),this.#t.failure===null&&(this.gone=null),this.#i()}}>Restore it</button>`}${H(this.#t.failure)}</div>`}#s(e,t){let n=wo([...e],t),r=[...new Set(e.map(({source:e})=>e.kind))].sort(),i=[...new Set(e.flatMap(({source:e})=>e.tags))].sort(),a=(e,n,r)=>C`<label>${n}
      <select @change=${t=>D({[e]:t.target.value})}>
        <option value="">all</option>
        ${r.map(n=>C`<option value=${n} ?selected=${t.get(e)===n}>${n}</option>`)}
      </select></label>`;return C`<div class="row fields">
        <label class="grow">Filter <input type="search" .value=${t.get(`filter`)??``}
          @input=${e=>D({filter:e.target.value})}></label>
        ${a(`type`,`Type`,r)}
        ${i.length>0?a(`tag`,`Tag`,i):w}
      </div>
      <p class="quiet" role="status">${n.length===e.length?K(e.length,`source`):`${n.length} of ${K(e.length,`source`)}`}</p>
      <div class="scroll" tabindex="0" role="region" aria-label="Sources"><table class="sources">
        <thead><tr>${xo.map(e=>this.#c(e,t))}</tr></thead>
        <tbody>${n.slice(0,this.most).map(e=>this.#l(e))}</tbody>
      </table></div>
      ${n.length>this.most?C`<button @click=${()=>this.most+=bo}>Show ${Math.min(bo,n.length-this.most)} more</button>`:w}`}#c({name:e,title:t,isNumber:n},r){let i=r.get(`sort`)??`-updated`,a=i===e?`ascending`:i===`-${e}`?`descending`:`none`,o=a===`none`?n||e===`updated`?`-${e}`:e:a===`ascending`?`-${e}`:e;return C`<th scope="col" aria-sort=${a}><button class="plain" @click=${()=>D({sort:o})}>${t}
      <span aria-hidden="true">${a===`ascending`?`▲`:a===`descending`?`▼`:``}</span></button></th>`}#l(e){let{source:t,memories:n,entities:r}=e,i=Z.of(t.origin),a=So(e);return C`<tr>
      <td class="name"><a href=${ba(t.id)} title=${t.origin}
        dir="auto"><span class="clip two">${xa(a,120)}</span></a>
        ${a===t.origin?w:C`<span class="quiet clip" dir="auto">${xa(t.origin,70)}</span>`}</td>
      <td data-label="Type">${t.kind}</td>
      <td data-label="Tags">${t.tags.map(e=>C`<button class="chip" @click=${()=>D({tag:e})}>${e}</button> `)}</td>
      <td data-label="Memories">${n.toLocaleString()}</td>
      <td data-label="Entities">${r.toLocaleString()}</td>
      <td data-label="Updated">${G(t.updated_at)}</td>
      <td data-label="State">${i?co(i.state):t.deleted_at?`forgotten`:`stored`}</td>
      <td data-label="Trust">${Co(t.kind)===`web`?C`<span class="chip warn"><span aria-hidden="true">⚐</span> web</span>`:`own`}</td>
    </tr>`}};customElements.define(`griot-sources`,To);var Q=class extends Error{},Eo=5e3,Do=class{#e;#t;#n;#r;#i;#a;constructor(e,t){this.items=[],this.decided=[],this.notice=``,this.#e=null,this.#t=Promise.resolve(),this.#n=new Map,this.#r=new Set,this.#i=e,this.#a=t}get current(){return this.items.find(e=>e.key===this.#e)??this.items[0]??null}get position(){let{current:e}=this;return e?this.items.indexOf(e):-1}clear(){this.decided=[],this.replace([])}replace(e){this.notice=``,this.items=[],this.load(e)}load(e){let t=e=>this.decided.some(t=>t.item.key===e.key&&![`undone`,`refused`].includes(t.state)),n=new Map(e.filter(e=>!t(e)).map(e=>[e.key,e])),r=this.items.filter(e=>n.has(e.key)).map(e=>n.get(e.key)),i=new Set(r.map(e=>e.key)),a=this.current!==null&&!n.has(this.current.key),o=a?this.items.slice(this.position+1).find(e=>n.has(e.key)):this.current;this.items=[...r,...[...n.values()].filter(e=>!i.has(e.key))],a&&(this.notice=`What was shown here was decided elsewhere meanwhile.`,this.#e=o?.key??null),this.#i()}show(e){this.#e=e,this.#i()}move(e){this.items.length!==0&&(this.notice=``,this.show(this.items[(this.position+e+this.items.length)%this.items.length].key))}skip(){let{current:e,position:t}=this;if(!e)return;this.notice=``;let n=this.items[t+1]??this.items[0];this.items=[...this.items.filter(t=>t!==e),e],this.show(n.key)}decide(e){let{current:t,position:n}=this;if(!t)return;this.notice=``;let r={item:t,words:e.words,state:`held`,said:``,undo:null};this.decided=[r,...this.decided],this.items=this.items.filter(e=>e!==t),this.#e=(this.items[n]??this.items[0])?.key??null,e.isFinal?this.#n.set(r,{choice:e,timer:setTimeout(()=>this.#o(r),Eo)}):this.#s(r,e),this.#i()}get undoable(){let e=e=>this.#n.has(e)||e.state===`sending`||e.state===`done`&&e.undo!==null;return this.decided.find(t=>e(t)&&!this.#r.has(t))??null}undo(e=this.undoable){if(!e)return;let t=this.#n.get(e);t?(clearTimeout(t.timer),this.#n.delete(e),e.state=`undone`,this.#c(e.item)):this.#r.has(e)||(this.#r.add(e),this.#l(async()=>{this.#r.delete(e);let{undo:t}=e;if(e.state===`done`&&t){e.state=`undoing`;try{let{said:n,isOpen:r}=await t();Object.assign(e,{said:n,state:`undone`}),r&&this.#c(e.item)}catch(t){e.said=this.#a(t),e.state=`done`,e.undo=null}}}))}get isUnsent(){return this.decided.some(e=>[`held`,`sending`,`undoing`].includes(e.state))}async flush(){for(let e of[...this.#n.keys()].reverse())this.#o(e);await this.#t}#o(e){let t=this.#n.get(e);t&&(clearTimeout(t.timer),this.#n.delete(e),this.#s(e,t.choice))}#s(e,t){e.state=`sending`,this.#l(async()=>{try{let{said:n,undo:r}=await t.send();Object.assign(e,{state:`done`,said:n,undo:r})}catch(t){e.state=`refused`,e.said=this.#a(t),t instanceof Q||(this.items=[...this.items,e.item])}})}#c(e){this.items.some(t=>t.key===e.key)||this.items.splice(Math.max(0,this.position),0,e),this.show(e.key)}#l(e){this.#t=this.#t.then(e).then(this.#i),this.#i()}},Oo={merge:{title:`Two names of one thing?`,role:`admin`},replacement:{title:`Outdated?`,role:`write`},cause:{title:`Cause and effect?`,role:`write`},conflict:{title:`Contradictions`,role:`write`},warning:{title:`Warnings`,role:`write`}};function ko(e){return{kind:`merge`,key:e.id,suggestion:e}}function Ao(e){return{kind:e.kind===`cause`?`cause`:`replacement`,key:e.id,offer:e}}function jo(e){return{kind:`conflict`,key:`${e.first.id}-${e.second.id}`,conflict:e}}function Mo(e){return{kind:`warning`,key:e.id,warning:e}}function No(e,t,n,r){return[...e.toSorted((e,t)=>t.likeness-e.likeness).map(ko),...t.toSorted((e,t)=>t.probability-e.probability).map(Ao),...n.map(jo),...r.map(Mo)]}function Po({newer:e,other:t,source:n}){return e.name===n?[e,t]:[t,e]}function Fo(e){return`${e.subject.name} ${J(e.predicate)} ${e.object}`}function Io(e){return e.evidence.find(e=>e.memory!==null)?.memory??null}function Lo(e,t,n,r=[],i=()=>``){switch(e.kind){case`merge`:return Ro(e.suggestion,t,n);case`replacement`:return Bo(e.offer,t,n);case`cause`:return Vo(e.offer,t,n);case`conflict`:return Go(e.conflict,t,n);case`warning`:return Ko(e.warning,t,n,r,i)}}function Ro({id:e,kept:t,merged:n},r,i){return[{key:`y`,words:`Merge`,isFinal:!1,send:()=>zo(async()=>{let{merge:a}=await r.applyMerge({name:e,...i});return{said:`${n.name} is now ${t.name}`,undo:async()=>{let{inseparable:e}=await r.unmerge({name:a.id,...i});return{said:[`They are two again.`,...e].join(` `),isOpen:!1}}}})},{key:`n`,words:`Two things`,isFinal:!0,send:()=>zo(async()=>(await r.dismissMerge({name:e,...i}),{said:`${n.name} and ${t.name} stay two`,undo:null}))}]}async function zo(e){try{return await e()}catch(e){let t=e instanceof We&&/^it is (applied|dismissed)/.exec(e.why)?.[1];throw t?new Q(`Somebody decided before: it was ${t}.`):e}}function Bo(e,t,n){let{newer:r,other:i}=e,[a,o]=Po(e);return[{key:`y`,words:`Replaced`,isFinal:!1,send:()=>Ho(e,a,o,`supersedes`,null,t,n,`${a.name} replaces ${o.name}`)},{key:`n`,words:`Keep both`,isFinal:!1,send:()=>Uo([e.id],e,t,n,`both hold`)},{key:`x`,words:`Not the same`,isFinal:!1,send:async()=>{let a=(await t.offers({memory:X(r),limit:500,...n})).filter(e=>e.other.id===i.id&&e.newer.id===r.id).map(e=>e.id);return Uo([...new Set([e.id,...a])],e,t,n,`they are about different things`)}}]}function Vo(e,t,n){let[r,i]=Po(e),a=e.sub_type??`causes`,o=(r,i)=>Ho(e,r,i,`causal`,a,t,n,`${r.name} ${a} ${i.name}`);return[{key:`y`,words:`Yes`,isFinal:!1,send:()=>o(r,i)},{key:`n`,words:`No`,isFinal:!1,send:()=>Uo([e.id],e,t,n,`no cause`)},{key:`t`,words:`Turned round`,isFinal:!1,send:()=>o(i,r)}]}async function Ho(e,t,n,r,i,a,o,s){await Wo(e,a,o);let c={source:X(t),target:X(n),kind:r,...i?{label:i}:{}},{created:l,warnings:u}=await a.link({...c,...o});return{said:[l?s:`${s}, which was known`,...u.map(e=>`warning: ${e.message}`)].join(`; `),undo:l?async()=>(await a.unlink({...c,...o}),await a.restore({name:e.id,...o}),{said:`The link is removed, the offer is open again.`,isOpen:!0}):null}}async function Uo(e,t,n,r,i){await Wo(t,n,r);for(let t of e)await n.forget({name:t,...r});return{said:`${t.newer.name} and ${t.other.name}: ${i}`,undo:async()=>{for(let t of e)await n.restore({name:t,...r});return{said:`It is open again.`,isOpen:!0}}}}async function Wo(e,t,n){let r=(await t.offers({memory:X(e.newer),all:!0,limit:500,...n})).find(t=>t.id===e.id);if(r&&r.state!==`open`){let e=r.settled_at?` on ${W(r.settled_at)}`:``;throw new Q(`Somebody decided before: it was ${r.state}${e}.`)}}function Go({first:e,second:t},n,r){let i=(e,t,i)=>{let a=Io(e);return a?[{key:t,words:`The ${i} is wrong`,isFinal:!1,send:async()=>{try{await n.forget({name:a,...r})}catch(e){throw e instanceof A&&e.kind===`not_found`?new Q(`Somebody forgot it before.`):e}return{said:`Forgot what states “${Fo(e)}”`,undo:async()=>(await n.restore({name:a,...r}),{said:`It is there again.`,isOpen:!0})}}}]:[]};return[...i(e,`1`,`first`),...i(t,`2`,`second`)]}function Ko(e,t,n,r,i){return[{key:`y`,words:`Acknowledge`,isFinal:!0,send:async()=>{let r=(await t.warnings({all:!0,...n})).warnings.find(t=>t.id===e.id);if(!r)throw new Q(`It no longer applies.`);if(r.acknowledged)throw new Q(`${r.acknowledged.by} acknowledged it before: ${r.acknowledged.note??`no note`}.`);let a=i();return await t.acknowledgeWarning({name:e.id,...a?{note:a}:{},...n}),{said:a?`Acknowledged: ${a}`:`Acknowledged`,undo:null}}},...r.slice(0,9).map((e,r)=>({key:String(r+1),words:`Remove edge ${r+1}`,isFinal:!0,send:async()=>{let{removed:r}=await t.unlink({source:X(e.source),target:X(e.target),kind:e.kind,...e.label?{label:e.label}:{},...n});if(r.length===0)throw new Q(`Somebody removed it before.`);let i=e.label||e.kind;return{said:`Removed: ${e.source.name} ${i} ${e.target.name}`,undo:null}}}))]}var $=new Map,qo=60;M.addEventListener(`changed`,()=>$.clear()),M.addEventListener(`connected`,()=>$.clear());function Jo(e){let t=$.get(e.key);if(t)return t;let n=Yo(e);return n.catch(()=>$.delete(e.key)),$.size>=qo&&$.clear(),$.set(e.key,n),n}async function Yo(e){let{client:t}=M,n=R(),r=[],i={entities:[],memories:new Map,edges:[]};if(e.kind===`merge`){let{kept:r,merged:a}=e.suggestion,o=e=>t.entity({name:e,limit:4,...n}).catch(()=>null);i.entities=await Promise.all([o(r.id),o(a.id)])}else if(e.kind===`conflict`){let{first:t,second:n}=e.conflict;r.push(...[Io(t),Io(n)].filter(e=>e!==null))}else e.kind===`warning`?i.edges=(await Promise.all(e.warning.edges.map(e=>t.edge({name:e,...n}).catch(()=>null)))).filter(e=>e!==null):r.push(e.offer.newer.id,e.offer.other.id);let a=await Promise.all(r.map(e=>t.show({name:e,...n}).catch(()=>null)));for(let e of a)e&&i.memories.set(e.id,e);return i}function Xo(e){let t=e.normalize(`NFKD`).replace(/\p{M}/gu,``).toLowerCase().match(/[\p{L}\p{N}]{4,}/gu);return[...new Set(t??[])]}var Zo={enables:[`Would make possible`,`Would be made possible`],prevents:[`Would prevent`,`Would be prevented`]},Qo=class extends O{static{this.properties={item:{}}}#e=new N(this);#t=``;willUpdate(){if(this.item.key===this.#t)return;let{key:e}=this.item;this.#t=e;let{item:t}=this;this.#e.ask(async()=>({key:e,evidence:await Jo(t)}))}render(){let{item:e}=this,t=this.#e.value?.key===e.key?this.#e.value.evidence:null;return C`${H(this.#e.failure)}<div class="sides">${this.#n(e,t)}</div>`}#n(e,t){switch(e.kind){case`merge`:{let{kept:n,merged:r}=e.suggestion;return C`${es(`Kept`,n.name,n.type,t?.entities[0]??null)}
          ${es(`Becomes the same`,r.name,r.type,t?.entities[1]??null)}`}case`replacement`:{let[n,r]=Po(e.offer);return C`${ts(`Would hold`,n,r,t)}${ts(`Would be outdated`,r,n,t)}`}case`cause`:{let[n,r]=Po(e.offer),[i,a]=Zo[e.offer.sub_type??``]??[`Would be the cause`,`Would be the effect`];return C`${ts(i,n,r,t)}
          <span class="leads" aria-hidden="true">→</span>${ts(a,r,n,t)}`}case`conflict`:return C`${[[`First`,e.conflict.first],[`Second`,e.conflict.second]].map(([e,n])=>{let r=Io(n),i=r?t?.memories.get(r)??null:null;return C`<section><h3>${e}</h3>
            <p dir="auto"><strong>${Fo(n)}</strong></p>
            <p class="quiet">${n.valid_from?C`from ${G(n.valid_from)}`:`begin not known`}
              ${n.valid_to?C`until ${G(n.valid_to)}`:`until now`} · stored
                ${G(n.recorded_at)}</p>
            ${i?C`${$o(i.text,Xo(Fo(n)),600)}
                <p class="quiet"><a class="handle" href=${ba(i.source,i.handle)}>${i.handle}</a></p>`:r?w:C`<p class="warn">It was added without a memory that states it,
                so there is nothing
                here to forget.</p>`}</section>`})}`;case`warning`:return C`<section class="whole"><p>${e.warning.message}</p>
          <p class="quiet">${J(e.warning.code)} · first seen ${G(e.warning.first_seen)}</p>
          <ol class="edges">${t?.edges.map(e=>C`<li>${Sa([{from:e.source,to:e.target,kind:e.kind,label:e.label,reads:e.label||J(e.kind),family:e.family,forward:!0,weight:e.weight,confidence:e.confidence,provenance:e.provenance,hours:null,expires_at:e.expires_at,edge:e.id,evidence:e.evidence}])}</li>`)}</ol></section>`}}};function $o(e,t,n){return C`<blockquote dir="auto">${Oa(Mi(e.trim(),t,n).pieces)}</blockquote>`}function es(e,t,n,r){return C`<section><h3>${e}</h3>
    <p class="thing" dir="auto"><strong class="clip">${t}</strong> <span class="chip">${n}</span></p>
    ${r?C`
      <p class="quiet">${K(r.mention_count,`mention`)} · ${K(r.relations.length,`relation`)} ·
        ${G(r.entity.first_seen)} to ${G(r.entity.last_seen)}
        · <a href=${Y(r.entity.id,`timeline`)}>over time</a>
        · <a href=${E(`explore`,{around:r.entity.id})}>graph</a></p>
      ${r.entity.aliases.length>1?C`<p class="quiet" dir="auto">also ${r.entity.aliases.slice(0,8).join(`, `)}</p>`:w}
      ${r.entity.description.map(e=>C`<p dir="auto">${e}</p>`)}
      <ul class="relations">${r.relations.slice(0,5).map(e=>C`<li>
        <span dir="auto">${e.source.name} ${e.label||J(e.kind)}
          ${e.target.name}</span></li>`)}</ul>
      ${r.mentions.map(e=>C`<p class="quiet">${G(e.occurred_at)}
          <a class="handle" href=${Y(e.handle,`why`)}>${e.handle}</a></p>
        ${$o(e.text,Xo(t),220)}`)}`:C`<p class="quiet">…</p>`}
  </section>`}function ts(e,t,n,r){let i=r?.memories.get(t.id),a=r?.memories.get(n.id)?.text??n.excerpt??``,o=i?.text??t.excerpt??``;return C`<section><h3>${e}</h3>
    <p class="quiet">${G(t.occurred_at)} <a class="handle" href=${Y(X(t),`why`)}>${t.name}</a>
      ${i?.speaker??``} ${i?C`<a href=${ba(i.source,i.handle)}>source</a>`:w}
      ${i?.superseded_by?C`<span class="chip warn">replaced already</span>`:w}</p>
    ${$o(o,Xo(a),900)}
  </section>`}function ns(e){switch(e.kind){case`merge`:return`${e.suggestion.reason}; likeness ${e.suggestion.likeness.toFixed(2)}`;case`replacement`:case`cause`:return`probability ${$n(e.offer.probability)}`;default:return``}}customElements.define(`griot-evidence`,Qo);var rs=2e4,is=2,as=class e extends O{static{this.properties={edges:{state:!0}}}#e=new N(this);#t=new N(this);#n=new N(this);static#r=null;static#i=new Do(()=>{let t=e.#r;t&&t.#f()},os);#a=e.#i;static{M.addEventListener(`connected`,()=>e.#i.clear())}#o;#s=``;#c=``;constructor(){super(),this.edges=[],F(this),Pt(this,()=>this.#u()),k(this,window,`hashchange`,()=>this.#l()),k(this,window,`keydown`,e=>this.#m(e)),k(this,window,`beforeunload`,e=>{this.#a.isUnsent&&(e.preventDefault(),this.#a.flush())})}connectedCallback(){super.connectedCallback(),e.#r=this,this.#s=T().parameters.get(`kind`)??``,this.#c=JSON.stringify(R()),this.#a.replace([]),this.#a.show(T().parameters.get(`item`)),this.#u(),this.#o=setInterval(()=>document.visibilityState===`visible`&&this.#u(),rs)}disconnectedCallback(){super.disconnectedCallback(),e.#r=null,clearInterval(this.#o),this.#a.flush()}#l(){if(T().page!==`review`)return;let e=T().parameters.get(`kind`)??``,t=T().parameters.get(`item`);e!==this.#s&&(this.#s=e,this.#a.replace(this.#d()));let n=JSON.stringify(R());n!==this.#c&&(this.#c=n,this.#u()),t&&t!==this.#a.current?.key&&this.#a.show(t),this.requestUpdate()}#u(){this.#e.ask(async e=>{let{client:t}=M,n=R(),r=[],i=async(t,n)=>t.catch(t=>{if(e.aborted)throw t;return r.push(t),n}),[a,o,s,c]=await Promise.all([i(t.merges(n,{signal:e}),{merges:[],suggestions:[],scan:null}),i(t.offers({limit:500,...n},{signal:e}),[]),i(t.conflicts(n,{signal:e}),[]),i(t.warnings(n,{signal:e}),{warnings:[],acknowledged:0})]);if(r.length===4)throw r[0];return{items:No(a.suggestions,o,s,c.warnings),merges:a.merges,failures:r}}).then(()=>this.#e.failure===null&&this.#a.load(this.#d()))}#d(){let e=this.#e.value?.items??[];return this.#s===``?e:e.filter(e=>e.kind===this.#s)}#f(){let{current:e,items:t,position:n}=this.#a;T().page===`review`&&this.#e.value&&D({item:e?.key??``});for(let r of t.slice(n,n+1+is)){let t=Jo(r).catch(()=>null);r===e&&(this.edges=[],t.then(e=>{e&&this.#a.current===r&&(this.edges=e.edges)}))}this.requestUpdate()}get#p(){let{current:e}=this.#a;if(!e||!P.may(Oo[e.kind].role))return[];let t=this.querySelector(`input[name=note]`)?.value.trim()??``;return Lo(e,M.client,R(),this.edges,()=>t)}#m(e){let t=e.composedPath()[0];if(e.ctrlKey||e.metaKey||e.altKey||e.repeat||t.closest?.(`input, textarea, select, dialog`))return;let n=this.#p.find(t=>t.key===e.key);if(n)this.#a.decide(n);else if(e.key===`u`)this.#a.undo();else if(e.key===`s`)this.#a.skip();else if(e.key===`j`)this.#a.move(1);else if(e.key===`k`)this.#a.move(-1);else return;e.preventDefault()}render(){let e=this.#e.value;return C`
      <h1>Review</h1>
      ${H(this.#e.failure)}
      ${e?.failures.map(e=>H(e))}
      ${this.#h(e?.items??[])}
      ${Cn()}
      <div aria-live="polite">${this.#a.notice?C`<p class="warn">${this.#a.notice}</p>`:w}</div>
      ${e?this.#g():this.#e.busy?C`<p class="quiet">Looking…</p>`:w}
      ${this.#_()}
      ${this.#v()}
      ${this.#y(e?.merges??[])}
    `}#h(e){let t=e.filter(e=>!this.#a.decided.some(t=>t.item.key===e.key&&![`undone`,`refused`].includes(t.state))),n=(e,t,n)=>C`<button aria-pressed=${this.#s===e}
      @click=${()=>D({kind:e,item:``},!0)}>${t}
        <span class="number">${n}</span></button>`;return C`<div class="row actions" role="group" aria-label="What to review">
      ${n(``,`All`,t.length)}
      ${Object.entries(Oo).map(([e,{title:r}])=>n(e,r,t.filter(t=>t.kind===e).length))}
    </div>`}#g(){let{current:e,items:t,position:n}=this.#a;if(!e)return C`<section class="card silent"><p>Nothing is left to decide${this.#s===``?``:` of this kind`}.</p></section>`;let r=this.#p;return C`<section class="card item" aria-label=${Oo[e.kind].title}>
      <div class="row"><h2 class="grow" aria-live="polite">${Oo[e.kind].title}
          <span class="quiet">${e.key}</span></h2>
        <span class="quiet">${n+1} of ${t.length}</span></div>
      <p class="quiet">${ns(e)}</p>
      <griot-evidence .item=${e}></griot-evidence>
      ${e.kind===`warning`&&r.length>0?C`<label class="note">Note with the
        acknowledgement
        <input name="note" autocomplete="off" @keydown=${e=>{if(e.key!==`Enter`)return;let t=this.#p.find(e=>e.key===`y`);e.target.blur(),t&&this.#a.decide(t)}}></label>`:w}
      <div class="row keys">
        ${r.map(e=>C`<button class=${e.key===`y`?`primary`:``}
          @click=${()=>this.#a.decide(this.#p.find(t=>t.key===e.key))}><kbd>${e.key}</kbd>
          ${e.words}</button>`)}
        ${r.length===0&&e.kind!==`conflict`?C`<span class="quiet">The key of this tab may look at this, and not decide it.</span>`:w}
        <button @click=${()=>this.#a.skip()}><kbd>s</kbd> Skip</button>
        <span class="grow"></span>
        <button @click=${()=>this.#a.move(-1)}><kbd>k</kbd> Back</button>
        <button @click=${()=>this.#a.move(1)}><kbd>j</kbd> Next</button>
        <button ?disabled=${this.#a.undoable===null} @click=${()=>this.#a.undo()}><kbd>u</kbd> Undo</button>
      </div>
    </section>`}#_(){let{decided:e}=this.#a;if(e.length===0)return w;let t=e=>C`<li>
      <span class="handle">${e.item.key}</span> <strong>${e.words}</strong>
      <span class=${e.state===`refused`?`bad`:`quiet`}>${ss(e)}</span>
      ${this.#a.undoable&&(e.state===`done`&&e.undo||e.state===`held`)?C`<button @click=${()=>this.#a.undo(e)}>Undo</button>`:w}</li>`;return C`<section class="card"><h2>Decided now: ${e.filter(e=>e.state!==`undone`).length}</h2>
      <ol class="decided" role="log" aria-label="Decisions">${e.slice(0,8).map(t)}</ol>
      ${e.length>8?C`<details><summary>${e.length-8} earlier</summary>
        <ol class="decided">${e.slice(8).map(t)}</ol></details>`:w}</section>`}#v(){return!P.may(`admin`)||![``,`merge`].includes(this.#s)?w:C`<section class="card"><h2>Names of one thing</h2>
      <p><button ?disabled=${this.#n.busy} @click=${()=>this.#x()}>
        Compare all names</button> <span role="status" class="quiet">${this.#n.value??`suggests pairs that may be one thing`}</span></p>
      ${H(this.#n.failure)}
      <p>Or merge two that you know to be one:</p>
      <griot-same @merged=${()=>this.#u()}></griot-same></section>`}#y(e){if(e.length===0)return w;let t=this.#t.value,n=e.filter(e=>e.undone_at).length;return C`<details class="card"><summary>${K(e.length,`merge`)} so far${n>0?`, ${n} taken back`:``}</summary>
      ${H(this.#t.failure)}
      ${t?C`<p role="status" class="good">${Ur(t)}</p>`:w}
      <div class="scroll" tabindex="0" role="region" aria-label="Merges"><table><thead><tr><th
        scope="col">Kept</th><th scope="col">Merged into it</th>
        <th scope="col">When, by whom</th><th scope="col">Why</th><th scope="col">Moved</th><th
          scope="col"><span class="unseen">Part</span></th></tr></thead>
        <tbody>${e.map(e=>C`<tr><td dir="auto">${e.kept.name}</td><td
          dir="auto">${e.merged.name}</td>
          <td>${G(e.at)} ${e.by}</td><td>${e.reason??``}</td>
          <td>${K(e.moved+e.folded,`edge`)}, ${K(e.facts,`fact`)}</td>
          <td>${e.undone_at?C`<span class="quiet">parted ${G(e.undone_at)}</span>`:P.may(`admin`)?C`<button ?disabled=${this.#t.busy} @click=${()=>this.#b(e.id)}>Part</button>`:w}</td></tr>`)}</tbody></table></div></details>`}async#b(e){await this.#t.send(t=>M.client.unmerge({name:e,...R()},{signal:t})),this.#u()}async#x(){await this.#n.send(async e=>{let{scan:t}=await M.client.suggestMerges(R(),{signal:e});return t?`${K(t.names,`name`)} compared, ${K(t.suggested,`suggestion`)}`:``}),this.#u()}};function os(e){return e instanceof Q?e.message:(jt(e),U(e))}function ss({state:e,said:t}){switch(e){case`held`:return`is sent in a moment`;case`sending`:return`…`;case`undoing`:return`is taken back…`;case`undone`:return`taken back. ${t}`;default:return t}}customElements.define(`griot-review`,as);var cs=20,ls=class extends O{static{this.properties={rest:{state:!0},isAll:{state:!0}}}#e=new N(this);#t=new N(this);#n=new N(this);#r=``;constructor(){super(),this.rest=[],this.isAll=!1,this.#r=T().parameters.get(`agent`)??``,k(this,window,`hashchange`,()=>{let e=T().parameters.get(`agent`)??``;e!==this.#r&&(this.#r=e,this.#i())})}connectedCallback(){super.connectedCallback(),this.#i()}#i(){this.#n.forget(),this.#t.forget(),this.#e.ask(e=>M.client.recalls(this.#a(),{signal:e})).then(()=>{this.rest=[],this.isAll=(this.#e.value?.recalls.length??0)<cs})}#a(){return{limit:cs,...this.#r===``?{}:{agent:this.#r}}}render(){let e=this.#e.value,t=[...e?.recalls??[],...this.rest];return C`<section class="card"><div class="row"><h2 class="grow">What agents asked</h2>
        <form class="row" role="search" @submit=${e=>{e.preventDefault();let t=new FormData(e.target);D({agent:String(t.get(`agent`)).trim()},!0)}}><label>Agent <input name="agent" maxlength="240" .value=${this.#r} placeholder="all"></label>
          <button>Show</button></form></div>
      ${H(this.#e.failure)}
      ${e?C`
        <p class="quiet">${e.enabled?`Questions are kept for ${K(e.days,`day`)}, and erased with what they name.`:C`Questions are not kept. <code>griot config set log.recalls true</code> keeps them from then on,
            for <code>log.recall_days</code> days.`}</p>
        ${t.length===0?e.enabled?C`<p>No question${this.#r?` of ${this.#r}`:``} yet.</p>`:w:C`${ds(t)}
          <div class="row">${this.isAll?w:C`<button ?disabled=${this.#t.busy}
              @click=${()=>this.#o(t)}>Earlier ones</button>`}
            <button ?disabled=${this.#n.busy} @click=${()=>this.#n.ask(e=>M.client.compareRecalls(this.#a(),{signal:e,timeoutMs:12e4}))}>${this.#n.busy?`Asking again…`:`Ask the last ones with and without the graph`}</button></div>
          ${H(this.#t.failure)}`}
        ${H(this.#n.failure)}
        <div role="status">${this.#n.value?fs(this.#n.value):w}</div>`:w}
    </section>`}async#o(e){let t=e.at(-1).at;await this.#t.ask(e=>M.client.recalls({...this.#a(),before:t},{signal:e}));let n=this.#t.value?.recalls;this.#t.failure===null&&n&&(this.rest=[...this.rest,...n],this.isAll=n.length<cs)}};function us(e,t,n,r={}){return E(`ask`,{q:e,...t?{user:t}:{},...n?{project:n}:{},...r})}function ds(e){return C`<div class="scroll" tabindex="0" role="region" aria-label="Questions"><table class="log">
    <thead><tr>${[`When`,`Agent`,`Question`,`Given`,`By`,`Took`].map(e=>C`<th scope="col">${e}</th>`)}</tr></thead>
    <tbody>${e.map(e=>C`<tr>
      <td>${G(e.at)}</td>
      <td dir="auto">${e.agent??C`<span class="quiet">–</span>`}
        ${e.key?C`<span class="quiet">key ${e.key}</span>`:w}
        ${e.user?C`<span class="chip">user ${e.user}</span>`:w}
        ${e.project?C`<span class="chip">project ${e.project}</span>`:w}</td>
      <td dir="auto"><a href=${us(e.query,e.user,e.project)}>${e.query}</a></td>
      <td>${e.silent?C`<span class="quiet">nothing</span>`:e.results.map(e=>C`<a
        class="handle" href=${Y(e.handle,`why`)} title=${`Score ${e.score.toFixed(2)}`}>${e.handle}</a> `)}</td>
      <td>${J(e.strategy)}</td>
      <td>${e.milliseconds.toFixed(1)} ms</td></tr>`)}</tbody></table></div>`}function fs({questions:e}){let t=e.filter(e=>e.same_first).length,n=e.reduce((e,t)=>e+t.overlap,0)/Math.max(1,e.length);return C`<h3>With and without the graph</h3>
    <p>${K(e.length,`question`)}: the first answer is the same for ${t}; of the first ten, both
      have ${$n(n)} on average.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="With and without the graph"><table class="log">
      <thead><tr>${[`Question`,`First without`,`First with`,`In both`].map(e=>C`<th scope="col">${e}</th>`)}</tr></thead>
      <tbody>${e.map(e=>C`<tr>
        <td dir="auto"><a href=${us(e.query,e.user,e.project,{graph:`both`})}>${e.query}</a></td>
        <td dir="auto">${ps(e.baseline)}</td>
        <td dir="auto">${e.failure?C`<span class="bad">failed: ${J(e.failure)}</span>`:e.same_first?C`<span class="quiet">the same</span>`:ps(e.graph)}</td>
        <td>${ms(e)}</td></tr>`)}</tbody></table></div>`}function ps({first:e}){return e===null?C`<span class="quiet">nothing</span>`:C`<a class="handle" href=${Y(e.handle,`why`)}>${e.handle}</a> ${e.excerpt}
      <span class="quiet">${e.score.toFixed(2)}</span>`}function ms(e){let t=Math.max(e.baseline.handles.length,e.graph.handles.length);return t===0?`both silent`:`${e.common} of ${t}`}customElements.define(`griot-log`,ls);var hs={off:`The graph is not run.`,shadow:`It is run and measured, and changes no answer.`,canary:`It answers those who ask for it and a share of the others, as long as the gate allows.`,on:`It answers everybody who does not decline it.`},gs={open:{words:`open`,tone:`good`,sign:`✓`},half_open:{words:`half open: it probes`,tone:`warn`,sign:`◐`},blocked:{words:`blocked`,tone:`bad`,sign:`✕`}},_s={info:{words:`info`,tone:`quiet`,sign:`i`},warning:{words:`warning`,tone:`warn`,sign:`!`},critical:{words:`critical`,tone:`bad`,sign:`‼`}},vs=30,ys=864e5;function bs(e,t){let n=Math.floor(t/ys),r=Array.from({length:vs},(e,t)=>({day:new Date((n-vs+1+t)*ys).toISOString(),calls:0}));for(let t of e){let e=r[Math.floor(Date.parse(t.day)/ys)-n+vs-1];e&&(e.calls+=t.calls)}return r}var xs=class extends O{static{this.properties={wanted:{state:!0}}}#e=new N(this);#t=new N(this);#n=new N(this);#r=new N(this);constructor(){super(),this.wanted=null,Pt(this,()=>this.#i()),F(this)}connectedCallback(){super.connectedCallback(),this.#i(),P.load(),this.#r.ask(e=>M.client.usage({days:vs},{signal:e}))}#i(){this.#e.ask(e=>M.client.rollout({},{signal:e}))}render(){let e=this.#e.value;return C`<h1>Rollout and health</h1>
      ${H(this.#e.failure)}
      ${e?C`${this.#a(e)}${this.#o(e)}${this.#s(e)}${Ss(e)}
        ${Cs(e)}`:w}
      ${this.#c()}
      ${this.#l()}
      ${this.#u()}
      ${P.may(`admin`)?C`<griot-log></griot-log>`:w}
      <section class="card"><h2>Jobs</h2><griot-jobs .most=${10}></griot-jobs></section>`}#a({alarms:e}){return e.length===0?w:C`<section class="card alarms" role="alert"><h2>${K(e.length,`alarm`)}</h2><ul>${e.map(e=>C`<li>
      ${ka(_s[e.severity]??{words:e.severity,tone:`quiet`,sign:`•`})}
      ${e.message} <span class="quiet">${Gr(e.code)},
        ${G(e.triggered_at)}</span></li>`)}</ul></section>`}#o(e){let t=P.may(`admin`);return C`<section class="card"><h2>The graph is ${e.mode}</h2>
      <p>${hs[e.mode]??``} ${e.enabled?w:C`<strong class="warn">The setting recall.graph is off, so it is not used.</strong>`}</p>
      <p class="quiet">${e.updated_at?C`Set ${G(e.updated_at)} by ${e.updated_by}.`:`Never changed.`}
        Advised: <strong>${e.recommended}</strong>, ${e.rationale}.</p>
      ${t?C`<div class="row modes" role="group"
        aria-label="Mode of the graph">${Object.keys(hs).map(t=>C`<button
        aria-pressed=${t===e.mode} ?disabled=${t===e.mode||this.#t.busy} title=${hs[t]}
        @click=${()=>this.#f(t,!1)}>${t}</button>`)}</div>`:w}
      ${H(this.#t.failure)}
      ${this.wanted&&this.#t.failure!==null?C`<p><button class="danger" @click=${()=>this.#f(this.wanted,!0)}>Set
        ${this.wanted} all the same</button> <span class="quiet">This discards the evidence so
          far.</span></p>`:w}
      <h3>On the way to on</h3>
      <ol class="stages">${e.stages.map(e=>C`<li>
        ${ka(e.ready?{words:`ready`,tone:`good`,sign:`✓`}:{words:`not yet`,tone:`quiet`,sign:`…`})}
        <strong>${J(e.stage)}</strong>
        <span class="quiet">${e.required_samples>0?`${e.current_samples} of ${e.required_samples} runs`:``}
          ${e.blockers.map(Gr).join(` · `)}</span></li>`)}</ol>
      <p class="quiet">${e.ready_windows} of ${e.ready_windows_wanted} ready windows in a row. A
        person sets the mode.</p>
    </section>`}#s({gate:e,goals:t,window_hours:n}){return C`<section class="card"><h2>Quality gate</h2>
      <p>${ka(gs[e.state]??{words:e.state,tone:`quiet`,sign:`•`})}
        ${e.since?C`since ${G(e.since)}`:w}
        <span class="quiet">Verdict: ${J(e.status)}${e.state===`half_open`?`, ${e.probes} of ${e.probes_wanted} probes`:``}. It judges windows of
            ${n} h that have ended.</span></p>
      ${e.reasons.length>0?C`<ul>${e.reasons.map(e=>C`<li class=${e.blocking?`bad`:`warn`}>
        ${e.blocking?`Blocks`:`Warns`}: ${Gr(e.code)} (${e.value.toFixed(3)}, limit
          ${e.limit})</li>`)}</ul>`:w}
      <div class="scroll" tabindex="0" role="region" aria-label="Goals"><table><thead><tr><th
        scope="col">Goal</th><th scope="col">Should be</th>
        <th scope="col">Is</th><th scope="col">Met</th></tr></thead>
        <tbody>${t.map(e=>C`<tr><td>${J(e.metric)}</td>
          <td>${e.comparator===`>=`?`at least`:`at most`} ${e.target}</td>
          <td>${Number(e.current.toFixed(3))}</td>
          <td>${e.ready?C`<span class="good">✓ yes</span>`:C`<span class="quiet">… no</span>`}</td></tr>`)}</tbody></table></div>
    </section>`}#c(){let e=P.status;if(!e)return w;let{counts:t}=e,n=(e,t)=>Object.keys(t).length===0?w:C`<div><h3>${e}</h3>
      <dl class="pairs">${Object.entries(t).sort((e,t)=>t[1]-e[1]).map(([e,t])=>C`<dt>${e}</dt><dd>${t.toLocaleString()}</dd>`)}</dl></div>`;return C`<section class="card"><h2>Contents</h2>
      <p>${K(t.memories,`memory`,`memories`)}, ${K(t.entities,`entity`,`entities`)},
        ${K(t.edges,`edge`)}, ${K(t.facts,`fact`)}, ${K(t.sources,`source`)};
        ${(e.bytes/1e6).toFixed(1)} MB${e.earliest&&e.latest?C`, from ${G(e.earliest)} to ${G(e.latest)}`:w}.</p>
      <p class="quiet">${t.superseded_memories} superseded, ${t.deleted_memories} forgotten,
        ${t.expired_memories}
        expired; ${t.vectors} vectors of ${e.stored_model??`no model`}${e.embedder===e.stored_model?``:C` <span class="warn">(the settings choose ${e.embedder})</span>`}.
        ${e.open_warnings>0?C`<a href=${E(`review`,{kind:`warning`})}>${K(e.open_warnings,`open warning`)}</a>`:w}
        ${Object.entries(e.unread).map(([e,t])=>`${t} not read for ${e}. `)}</p>
      <details><summary>By kind, type and origin</summary><div class="tallies">${n(`Memories`,t.memories_by_kind)}
        ${n(`Entities`,t.entities_by_type)}${n(`Edges`,t.edges_by_kind)}
        ${n(`Edges by origin`,t.edges_by_provenance)}</div></details>
    </section>`}#l(){if(!P.may(`admin`))return w;let e=this.#n.value;return C`<section class="card"><div class="row"><h2 class="grow">Soundness</h2>
        <button ?disabled=${this.#n.busy} @click=${()=>this.#n.ask(e=>M.client.doctor({},{signal:e,timeoutMs:3e5}))}>${this.#n.busy?`Checking…`:`Check the workspace`}</button></div>
      ${H(this.#n.failure)}
      <div role="status">${e?C`
        <p>${ka(e.sound?{words:`sound`,tone:`good`,sign:`✓`}:{words:`not sound`,tone:`bad`,sign:`✕`})}</p>
        <ul>${e.problems.map(e=>C`<li class="bad">${e}</li>`)}
          ${e.checked.map(e=>C`<li class="quiet">Checked: ${e}</li>`)}</ul>
        ${e.sound?w:C`<p class="quiet"><code>griot doctor --repair</code> mends what can be
          mended.</p>`}`:w}</div>
    </section>`}#u(){let e=this.#r.value;return C`<section class="card"><h2>Language models, the last ${vs} days</h2>
      ${H(this.#r.failure)}
      ${e?e.rows.length===0?C`<p class="quiet">No language model was asked.</p>`:C`
        <p>${K(e.total.calls,`request`)}, ${K(e.total.kept,`kept reply`,`kept replies`)},
          ${K(e.total.input_tokens,`token`)} sent, ${K(e.total.output_tokens,`token`)} received${e.total.cost===null?``:`, cost ${e.total.cost.toFixed(4)}`}.</p>
        ${ws(bs(e.rows,Date.now()))}
        <div class="scroll" tabindex="0" role="region" aria-label="Usage"><table><thead><tr>${[`Day`,`For`,`Model`,`Requests`,`Failed`,`Kept`,`Sent`,`Received`,`Cost`].map(e=>C`<th scope="col">${e}</th>`)}</tr></thead>
          <tbody>${e.rows.map(e=>C`<tr><td>${W(e.day)}</td><td>${J(e.purpose)}</td><td>${e.model}
            <span class="quiet">${e.provider}</span></td><td>${e.calls}</td>
            <td>${e.failed}${e.unfinished>0?C` <span class="warn">${e.unfinished}
              unfinished</span>`:w}</td>
            <td>${e.kept}</td>
            <td>${e.input_tokens.toLocaleString()}</td><td>${e.output_tokens.toLocaleString()}</td>
            <td>${e.cost===null?`–`:e.cost.toFixed(4)}</td></tr>`)}</tbody></table></div>`:w}
      ${e?this.#d(e):w}
    </section>`}#d({today:e}){let t=[e.calls_left===null?null:K(e.calls_left,`request`),e.tokens_left===null?null:K(e.tokens_left,`token`),e.cost_left===null?null:`${e.cost_left.toFixed(2)} of money`].filter(e=>e!==null);return t.length===0?w:C`<p class="quiet">Left today: ${t.join(`, `)}.</p>`}async#f(e,t){this.wanted=e,await this.#t.send(n=>M.client.setRollout({mode:e,...t?{force:t}:{}},{signal:n})),this.#t.failure===null&&(this.wanted=null,this.#e.value=this.#t.value,this.requestUpdate())}};function Ss(e){let t=(e,t)=>e.requests===0?`–`:$n(t),n=e=>e===null?`–`:`${e.toFixed(1)} ms`,r=(e,t)=>e+t===0?`–`:`${e} ▲ ${t} ▼`;return C`<section class="card"><h2>Windows</h2>
    ${e.windows.length===0?C`<p class="quiet">No question was counted yet.</p>`:C`
    <div class="scroll" tabindex="0" role="region" aria-label="Windows"><table class="windows"><thead>
      <tr><th scope="col" rowspan="2">From</th><th scope="col" rowspan="2">Questions</th><th scope="col"
        rowspan="2">By the graph</th>
        <th scope="col" rowspan="2">In shadow</th><th scope="col" rowspan="2">Failed</th><th scope="col"
          rowspan="2">Contributed</th>
        <th scope="col" rowspan="2">Overlap</th><th scope="colgroup" colspan="2">Time of an answer</th>
        <th scope="colgroup" colspan="2">Feedback</th><th scope="col" rowspan="2">Gain (nDCG@10)</th></tr>
      <tr><th scope="col">without</th><th scope="col">with</th><th scope="col">without</th><th
        scope="col">with</th></tr></thead>
      <tbody>${e.windows.map(e=>C`<tr><td>${G(e.start)}${e.closed?``:C`
        <span class="chip">open</span>`}</td>
        <td>${e.requests}</td><td>${e.hybrid_applied}${e.held>0?C`
          <span class="quiet">${e.held} held</span>`:w}</td>
        <td>${e.shadow_executions}</td>
        <td class=${e.error_rate>0?`bad`:``}>${t(e,e.error_rate)}</td><td>${t(e,e.coverage)}</td>
        <td>${e.overlap===null?`–`:$n(e.overlap)}</td>
        <td>${n(e.baseline_ms)}</td><td>${n(e.graph_ms)}</td>
        <td>${r(e.good_baseline,e.bad_baseline)}</td><td>${r(e.good_graph,e.bad_graph)}</td>
        <td>${e.relevance_gain===null?`–`:`${e.relevance_gain>=0?`+`:``}${e.relevance_gain.toFixed(3)} (${e.judged})`}</td></tr>`)}</tbody></table></div>`}
  </section>`}function Cs({incidents:e}){return e.length===0?w:C`<details class="card"><summary>${K(e.length,`failure`)} of the graph</summary><ul>${e.map(e=>C`<li>
    ${G(e.at)} ${J(e.reason)}${e.shadow?` (in shadow)`:``}: ${e.message}</li>`)}</ul></details>`}function ws(e){let t=Math.max(1,...e.map(e=>e.calls)),n=100/Math.max(1,e.length);return C`<svg class="chart" viewBox="0 0 100 24" preserveAspectRatio="none"
    aria-hidden="true">${e.map((e,r)=>Se`
    <rect x=${r*n+n*.1} y=${24-e.calls/t*24} width=${n*.8}
      height=${e.calls/t*24}>
      <title>${W(e.day)}: ${e.calls}</title></rect>`)}</svg>`}customElements.define(`griot-health`,xs);var Ts={explore:{title:`Explore`,show:()=>C`<griot-explorer></griot-explorer>`},ask:{title:`Ask`,show:()=>C`<griot-ask></griot-ask>`},sources:{title:`Sources`,show:()=>C`<griot-sources></griot-sources>`},review:{title:`Review`,show:()=>C`<griot-review></griot-review>`},health:{title:`Health`,show:()=>C`<griot-health></griot-health>`}},Es=class extends O{static{this.properties={state:{state:!0},why:{state:!0}}}constructor(){super(),this.state=`connecting`,this.why=``,k(this,window,`hashchange`,()=>this.requestUpdate()),k(this,M,`connected`,()=>void this.#e()),k(this,M,`failed`,e=>this.#t(e.detail)),k(this,M,`changed`,()=>this.state=`ready`),this.#e()}async#e(){try{await M.client.memories({limit:1}),this.state=`ready`,M.watch()}catch(e){this.#t(e)}}#t(e){let t=e.kind;this.why=e instanceof Error?e.message:String(e),t===`unauthenticated`||t===`forbidden`?this.state=`key`:(this.state=`away`,setTimeout(()=>void this.#e(),2e3))}render(){let e=Ts[T().page]?T().page:`explore`;return C`
      <header class="bar">
        <a class="brand" href=${E(`explore`)}>Griot</a>
        <nav aria-label="Pages">
          ${Object.entries(Ts).map(([t,{title:n}])=>C`<a href=${E(t)} aria-current=${t===e?`page`:w}>${n}</a>`)}
        </nav>
        <span class="state" role="status">${this.state===`away`?`The server does not answer. Trying again…`:w}</span>
      </header>
      <main class=${`page page-${e}`}>
        ${this.state===`key`?this.#n():this.state===`connecting`?w:Ts[e].show()}
      </main>
    `}#n(){return C`
      <form class="card narrow" @submit=${e=>{e.preventDefault();let t=new FormData(e.target);M.use(String(t.get(`key`)).trim(),String(t.get(`workspace`)).trim())}}>
        <h1>This server asks for a key</h1>
        <p class="quiet">${this.why}</p>
        <label>Key <input name="key" type="password" autocomplete="off" required></label>
        <label>Workspace <input name="workspace" value=${M.workspace} placeholder="the one of the key"></label>
        <p class="quiet">The key is kept until this tab is closed. <code>griot key create</code> makes one.</p>
        <button class="primary">Open</button>
      </form>
    `}};customElements.define(`griot-page`,Es);