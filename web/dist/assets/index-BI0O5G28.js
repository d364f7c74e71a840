var e=globalThis,t=e.ShadowRoot&&(e.ShadyCSS===void 0||e.ShadyCSS.nativeShadow)&&`adoptedStyleSheets`in Document.prototype&&`replace`in CSSStyleSheet.prototype,n=Symbol(),r=new WeakMap,i=class{constructor(e,t,r){if(this._$cssResult$=!0,r!==n)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=t}get styleSheet(){let e=this.o,n=this.t;if(t&&e===void 0){let t=n!==void 0&&n.length===1;t&&(e=r.get(n)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),t&&r.set(n,e))}return e}toString(){return this.cssText}},a=e=>new i(typeof e==`string`?e:e+``,void 0,n),o=(n,r)=>{if(t)n.adoptedStyleSheets=r.map(e=>e instanceof CSSStyleSheet?e:e.styleSheet);else for(let t of r){let r=document.createElement(`style`),i=e.litNonce;i!==void 0&&r.setAttribute(`nonce`,i),r.textContent=t.cssText,n.appendChild(r)}},s=t?e=>e:e=>e instanceof CSSStyleSheet?(e=>{let t=``;for(let n of e.cssRules)t+=n.cssText;return a(t)})(e):e,{is:c,defineProperty:l,getOwnPropertyDescriptor:u,getOwnPropertyNames:ee,getOwnPropertySymbols:te,getPrototypeOf:ne}=Object,re=globalThis,ie=re.trustedTypes,ae=ie?ie.emptyScript:``,oe=re.reactiveElementPolyfillSupport,se=(e,t)=>e,ce={toAttribute(e,t){switch(t){case Boolean:e=e?ae:null;break;case Object:case Array:e=e==null?e:JSON.stringify(e)}return e},fromAttribute(e,t){let n=e;switch(t){case Boolean:n=e!==null;break;case Number:n=e===null?null:Number(e);break;case Object:case Array:try{n=JSON.parse(e)}catch{n=null}}return n}},le=(e,t)=>!c(e,t),ue={attribute:!0,type:String,converter:ce,reflect:!1,useDefault:!1,hasChanged:le};Symbol.metadata??=Symbol(`metadata`),re.litPropertyMetadata??=new WeakMap;var d=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,t=ue){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(e,t),!t.noAccessor){let n=Symbol(),r=this.getPropertyDescriptor(e,n,t);r!==void 0&&l(this.prototype,e,r)}}static getPropertyDescriptor(e,t,n){let{get:r,set:i}=u(this.prototype,e)??{get(){return this[t]},set(e){this[t]=e}};return{get:r,set(t){let a=r?.call(this);i?.call(this,t),this.requestUpdate(e,a,n)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??ue}static _$Ei(){if(this.hasOwnProperty(se(`elementProperties`)))return;let e=ne(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(se(`finalized`)))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(se(`properties`))){let e=this.properties,t=[...ee(e),...te(e)];for(let n of t)this.createProperty(n,e[n])}let e=this[Symbol.metadata];if(e!==null){let t=litPropertyMetadata.get(e);if(t!==void 0)for(let[e,n]of t)this.elementProperties.set(e,n)}this._$Eh=new Map;for(let[e,t]of this.elementProperties){let n=this._$Eu(e,t);n!==void 0&&this._$Eh.set(n,e)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let t=[];if(Array.isArray(e)){let n=new Set(e.flat(1/0).reverse());for(let e of n)t.unshift(s(e))}else e!==void 0&&t.push(s(e));return t}static _$Eu(e,t){let n=t.attribute;return!1===n?void 0:typeof n==`string`?n:typeof e==`string`?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,t=this.constructor.elementProperties;for(let n of t.keys())this.hasOwnProperty(n)&&(e.set(n,this[n]),delete this[n]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return o(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,t,n){this._$AK(e,n)}_$ET(e,t){let n=this.constructor.elementProperties.get(e),r=this.constructor._$Eu(e,n);if(r!==void 0&&!0===n.reflect){let i=(n.converter?.toAttribute===void 0?ce:n.converter).toAttribute(t,n.type);this._$Em=e,i==null?this.removeAttribute(r):this.setAttribute(r,i),this._$Em=null}}_$AK(e,t){let n=this.constructor,r=n._$Eh.get(e);if(r!==void 0&&this._$Em!==r){let e=n.getPropertyOptions(r),i=typeof e.converter==`function`?{fromAttribute:e.converter}:e.converter?.fromAttribute===void 0?ce:e.converter;this._$Em=r;let a=i.fromAttribute(t,e.type);this[r]=a??this._$Ej?.get(r)??a,this._$Em=null}}requestUpdate(e,t,n,r=!1,i){if(e!==void 0){let a=this.constructor;if(!1===r&&(i=this[e]),n??=a.getPropertyOptions(e),!((n.hasChanged??le)(i,t)||n.useDefault&&n.reflect&&i===this._$Ej?.get(e)&&!this.hasAttribute(a._$Eu(e,n))))return;this.C(e,t,n)}!1===this.isUpdatePending&&(this._$ES=this._$EP())}C(e,t,{useDefault:n,reflect:r,wrapped:i},a){n&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,a??t??this[e]),!0!==i||a!==void 0)||(this._$AL.has(e)||(this.hasUpdated||n||(t=void 0),this._$AL.set(e,t)),!0===r&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(e){Promise.reject(e)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[e,t]of this._$Ep)this[e]=t;this._$Ep=void 0}let e=this.constructor.elementProperties;if(e.size>0)for(let[t,n]of e){let{wrapped:e}=n,r=this[t];!0!==e||this._$AL.has(t)||r===void 0||this.C(t,void 0,n,r)}}let e=!1,t=this._$AL;try{e=this.shouldUpdate(t),e?(this.willUpdate(t),this._$EO?.forEach(e=>e.hostUpdate?.()),this.update(t)):this._$EM()}catch(t){throw e=!1,this._$EM(),t}e&&this._$AE(t)}willUpdate(e){}_$AE(e){this._$EO?.forEach(e=>e.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(e=>this._$ET(e,this[e])),this._$EM()}updated(e){}firstUpdated(e){}};d.elementStyles=[],d.shadowRootOptions={mode:`open`},d[se(`elementProperties`)]=new Map,d[se(`finalized`)]=new Map,oe?.({ReactiveElement:d}),(re.reactiveElementVersions??=[]).push(`2.1.2`);var de=globalThis,fe=e=>e,pe=de.trustedTypes,me=pe?pe.createPolicy(`lit-html`,{createHTML:e=>e}):void 0,he=`$lit$`,f=`lit$${Math.random().toFixed(9).slice(2)}$`,ge=`?`+f,_e=`<${ge}>`,p=document,m=()=>p.createComment(``),ve=e=>e===null||typeof e!=`object`&&typeof e!=`function`,ye=Array.isArray,be=e=>ye(e)||typeof e?.[Symbol.iterator]==`function`,xe=`[ 	
\f\r]`,h=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Se=/-->/g,Ce=/>/g,g=RegExp(`>|${xe}(?:([^\\s"'>=/]+)(${xe}*=${xe}*(?:[^ \t\n\f\r"'\`<>=]|("|')|))|$)`,`g`),we=/'/g,Te=/"/g,Ee=/^(?:script|style|textarea|title)$/i,De=e=>(t,...n)=>({_$litType$:e,strings:t,values:n}),_=De(1),Oe=De(2),v=Symbol.for(`lit-noChange`),y=Symbol.for(`lit-nothing`),ke=new WeakMap,b=p.createTreeWalker(p,129);function Ae(e,t){if(!ye(e)||!e.hasOwnProperty(`raw`))throw Error(`invalid template strings array`);return me===void 0?t:me.createHTML(t)}var je=(e,t)=>{let n=e.length-1,r=[],i,a=t===2?`<svg>`:t===3?`<math>`:``,o=h;for(let t=0;t<n;t++){let n=e[t],s,c,l=-1,u=0;for(;u<n.length&&(o.lastIndex=u,c=o.exec(n),c!==null);)u=o.lastIndex,o===h?c[1]===`!--`?o=Se:c[1]===void 0?c[2]===void 0?c[3]!==void 0&&(o=g):(Ee.test(c[2])&&(i=RegExp(`</`+c[2],`g`)),o=g):o=Ce:o===g?c[0]===`>`?(o=i??h,l=-1):c[1]===void 0?l=-2:(l=o.lastIndex-c[2].length,s=c[1],o=c[3]===void 0?g:c[3]===`"`?Te:we):o===Te||o===we?o=g:o===Se||o===Ce?o=h:(o=g,i=void 0);let ee=o===g&&e[t+1].startsWith(`/>`)?` `:``;a+=o===h?n+_e:l>=0?(r.push(s),n.slice(0,l)+he+n.slice(l)+f+ee):n+f+(l===-2?t:ee)}return[Ae(e,a+(e[n]||`<?>`)+(t===2?`</svg>`:t===3?`</math>`:``)),r]},Me=class e{constructor({strings:t,_$litType$:n},r){let i;this.parts=[];let a=0,o=0,s=t.length-1,c=this.parts,[l,u]=je(t,n);if(this.el=e.createElement(l,r),b.currentNode=this.el.content,n===2||n===3){let e=this.el.content.firstChild;e.replaceWith(...e.childNodes)}for(;(i=b.nextNode())!==null&&c.length<s;){if(i.nodeType===1){if(i.hasAttributes())for(let e of i.getAttributeNames())if(e.endsWith(he)){let t=u[o++],n=i.getAttribute(e).split(f),r=/([.?@])?(.*)/.exec(t);c.push({type:1,index:a,name:r[2],strings:n,ctor:r[1]===`.`?Ie:r[1]===`?`?Le:r[1]===`@`?Re:Fe}),i.removeAttribute(e)}else e.startsWith(f)&&(c.push({type:6,index:a}),i.removeAttribute(e));if(Ee.test(i.tagName)){let e=i.textContent.split(f),t=e.length-1;if(t>0){i.textContent=pe?pe.emptyScript:``;for(let n=0;n<t;n++)i.append(e[n],m()),b.nextNode(),c.push({type:2,index:++a});i.append(e[t],m())}}}else if(i.nodeType===8){if(i.data===ge)c.push({type:2,index:a});else{let e=-1;for(;(e=i.data.indexOf(f,e+1))!==-1;)c.push({type:7,index:a}),e+=f.length-1}}a++}}static createElement(e,t){let n=p.createElement(`template`);return n.innerHTML=e,n}};function x(e,t,n=e,r){if(t===v)return t;let i=r===void 0?n._$Cl:n._$Co?.[r],a=ve(t)?void 0:t._$litDirective$;return i?.constructor!==a&&(i?._$AO?.(!1),a===void 0?i=void 0:(i=new a(e),i._$AT(e,n,r)),r===void 0?n._$Cl=i:(n._$Co??=[])[r]=i),i!==void 0&&(t=x(e,i._$AS(e,t.values),i,r)),t}var Ne=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:n}=this._$AD,r=(e?.creationScope??p).importNode(t,!0);b.currentNode=r;let i=b.nextNode(),a=0,o=0,s=n[0];for(;s!==void 0;){if(a===s.index){let t;s.type===2?t=new Pe(i,i.nextSibling,this,e):s.type===1?t=new s.ctor(i,s.name,s.strings,this,e):s.type===6&&(t=new ze(i,this,e)),this._$AV.push(t),s=n[++o]}a!==s?.index&&(i=b.nextNode(),a++)}return b.currentNode=p,r}p(e){let t=0;for(let n of this._$AV)n!==void 0&&(n.strings===void 0?n._$AI(e[t]):(n._$AI(e,n,t),t+=n.strings.length-2)),t++}},Pe=class e{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,n,r){this.type=2,this._$AH=y,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=n,this.options=r,this._$Cv=r?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=x(this,e,t),ve(e)?e===y||e==null||e===``?(this._$AH!==y&&this._$AR(),this._$AH=y):e!==this._$AH&&e!==v&&this._(e):e._$litType$===void 0?e.nodeType===void 0?be(e)?this.k(e):this._(e):this.T(e):this.$(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==y&&ve(this._$AH)?this._$AA.nextSibling.data=e:this.T(p.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:n}=e,r=typeof n==`number`?this._$AC(e):(n.el===void 0&&(n.el=Me.createElement(Ae(n.h,n.h[0]),this.options)),n);if(this._$AH?._$AD===r)this._$AH.p(t);else{let e=new Ne(r,this),n=e.u(this.options);e.p(t),this.T(n),this._$AH=e}}_$AC(e){let t=ke.get(e.strings);return t===void 0&&ke.set(e.strings,t=new Me(e)),t}k(t){ye(this._$AH)||(this._$AH=[],this._$AR());let n=this._$AH,r,i=0;for(let a of t)i===n.length?n.push(r=new e(this.O(m()),this.O(m()),this,this.options)):r=n[i],r._$AI(a),i++;i<n.length&&(this._$AR(r&&r._$AB.nextSibling,i),n.length=i)}_$AR(e=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);e!==this._$AB;){let t=fe(e).nextSibling;fe(e).remove(),e=t}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},Fe=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,n,r,i){this.type=1,this._$AH=y,this._$AN=void 0,this.element=e,this.name=t,this._$AM=r,this.options=i,n.length>2||n[0]!==``||n[1]!==``?(this._$AH=Array(n.length-1).fill(new String),this.strings=n):this._$AH=y}_$AI(e,t=this,n,r){let i=this.strings,a=!1;if(i===void 0)e=x(this,e,t,0),a=!ve(e)||e!==this._$AH&&e!==v,a&&(this._$AH=e);else{let r=e,o,s;for(e=i[0],o=0;o<i.length-1;o++)s=x(this,r[n+o],t,o),s===v&&(s=this._$AH[o]),a||=!ve(s)||s!==this._$AH[o],s===y?e=y:e!==y&&(e+=(s??``)+i[o+1]),this._$AH[o]=s}a&&!r&&this.j(e)}j(e){e===y?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??``)}},Ie=class extends Fe{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===y?void 0:e}},Le=class extends Fe{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==y)}},Re=class extends Fe{constructor(e,t,n,r,i){super(e,t,n,r,i),this.type=5}_$AI(e,t=this){if((e=x(this,e,t,0)??y)===v)return;let n=this._$AH,r=e===y&&n!==y||e.capture!==n.capture||e.once!==n.once||e.passive!==n.passive,i=e!==y&&(n===y||r);r&&this.element.removeEventListener(this.name,this,n),i&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH==`function`?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},ze=class{constructor(e,t,n){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=n}get _$AU(){return this._$AM._$AU}_$AI(e){x(this,e)}},Be=de.litHtmlPolyfillSupport;Be?.(Me,Pe),(de.litHtmlVersions??=[]).push(`3.3.3`);var Ve=(e,t,n)=>{let r=n?.renderBefore??t,i=r._$litPart$;if(i===void 0){let e=n?.renderBefore??null;r._$litPart$=i=new Pe(t.insertBefore(m(),e),e,void 0,n??{})}return i._$AI(e),i},He=globalThis,S=class extends d{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=Ve(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return v}};S._$litElement$=!0,S.finalized=!0,He.litElementHydrateSupport?.({LitElement:S});var Ue=He.litElementPolyfillSupport;Ue?.({LitElement:S}),(He.litElementVersions??=[]).push(`4.2.2`);function C(e=location.hash){let[t=``,n=``]=e.replace(/^#\/?/,``).split(`?`,2);return{page:t,parameters:new URLSearchParams(n)}}function w(e,t={}){let n=new URLSearchParams;for(let[e,r]of Object.entries(t))for(let t of[r??[]].flat())n.append(e,t);let r=n.toString();return`#/${e}${r===``?``:`?${r}`}`}function T(e,t=!1){let{page:n,parameters:r}=C();for(let[t,n]of Object.entries(e)){r.delete(t);for(let e of[n??[]].flat())e!==``&&r.append(t,e)}let i=r.toString(),a=`#/${n}${i===``?``:`?${i}`}`;a!==location.hash&&(t?history.pushState(null,``,a):history.replaceState(null,``,a),window.dispatchEvent(new HashChangeEvent(`hashchange`)))}var E=class extends S{createRenderRoot(){return this}};function D(e,t,n,r){e.addController({hostConnected:()=>t.addEventListener(n,r),hostDisconnected:()=>t.removeEventListener(n,r)})}var O=class extends Error{kind=`unknown`;what;why;hint;requestId;status;retryAfterMs;candidates;constructor(e){let t=e.hint?` (hint: ${e.hint})`:``;super(`cannot ${e.what}: ${e.why}${t}`,{cause:e.cause}),this.name=new.target.name,e.kind!==void 0&&(this.kind=e.kind),this.what=e.what,this.why=e.why,this.hint=e.hint??null,this.requestId=e.requestId??null,this.status=e.status??null,this.retryAfterMs=e.retryAfterMs??null,this.candidates=e.candidates??[]}},k=class extends O{kind=`invalid_input`},We=class extends O{kind=`not_found`},Ge=class extends O{kind=`conflict`},Ke=class extends O{kind=`unavailable`},qe=class extends O{kind=`corrupt`},Je=class extends O{kind=`bug`},Ye=class extends O{kind=`unauthenticated`},Xe=class extends O{kind=`forbidden`},Ze=class extends O{kind=`rate_limited`},Qe=class extends O{kind=`too_large`},$e=class extends O{kind=`timed_out`},et=class extends O{kind=`method_not_allowed`},tt=class extends O{kind=`unsupported_media_type`},A=class extends Ke{kind=`unreachable`;mayHaveArrived;constructor(e,t){super(e),this.mayHaveArrived=t}},nt=class extends O{kind=`interrupted`},rt=class extends O{kind=`bad_answer`},it={invalid_input:k,not_found:We,conflict:Ge,unavailable:Ke,corrupt:qe,bug:Je,unauthenticated:Ye,forbidden:Xe,rate_limited:Ze,too_large:Qe,timed_out:$e,method_not_allowed:et,unsupported_media_type:tt};function at(e){return e.role===null||e.role===`read`||e.method===`GET`}var ot=`http://127.0.0.1:4747`,st=`the write may have succeeded; check before retrying`,ct=new Set([`ECONNREFUSED`,`ENOTFOUND`,`EAI_AGAIN`,`EHOSTUNREACH`,`ENETUNREACH`,`UND_ERR_CONNECT_TIMEOUT`]),lt=class{url;timeoutMs;#e;#t;#n;constructor(e){let{env:t}=globalThis.process??{};if(this.url=ft(e.url||t?.GRIOT_URL||`http://127.0.0.1:4747`),this.#e=e.apiKey||t?.GRIOT_API_KEY||void 0,this.#e!==void 0&&!/^[!-~]+$/.test(this.#e))throw new k({what:`use the key`,why:`it holds a space or a character beyond ASCII`,hint:`griot key create makes one`});this.#t={workspace:e.workspace,user:e.user,project:e.project},this.timeoutMs=e.timeoutMs??3e4,this.#n=e.retries??2}request(e,t,n=null){let r=new Map(Object.entries(t).filter(([,e])=>e!=null));for(let[t,n]of Object.entries(this.#t))e.role!==null&&n!==void 0&&!r.has(t)&&r.set(t,n);let i=vt(),a={"X-Request-Id":i};this.#e!==void 0&&(a.Authorization=`Bearer ${this.#e}`),n!==null&&(a[`Last-Event-ID`]=n);let o=e.path.replace(/\{(\w+)\}/g,(e,t)=>{let n=mt(t,r.get(t));return r.delete(t),n}),s=r.get(`workspace`);r.delete(`workspace`);let c=null;if(e.method===`GET`||e.method===`DELETE`){s!==void 0&&r.set(`tenantId`,s);let e=[...r].map(([e,t])=>`${encodeURIComponent(e)}=${ht(t)}`);e.length>0&&(o+=`?${e.join(`&`)}`)}else s!==void 0&&r.set(`scope`,{tenantId:s}),c=pt(e,Object.fromEntries(r)),a[`Content-Type`]=`application/json`;let l={method:e.method,headers:a,body:c,redirect:`manual`,credentials:`omit`};return{verb:e,id:i,url:this.url+o,init:l}}meaning(e,t,n){if(t.status!==200)throw this.refusal(e,t,n);return t.headers.get(`content-type`)?.split(`;`)[0]?.trim()===`application/json`?this.item(e,n):n}item(e,t){try{return JSON.parse(t)}catch(t){throw new rt({what:xt(e.verb),why:`the answer is not JSON`,requestId:e.id,cause:t})}}refusal(e,t,n){let r=_t(n);if(r===null)return this.#r(e,t.status);let i=t.headers.get(`retry-after`);return new(it[r.kind]??O)({kind:r.kind,what:r.what,why:r.why,hint:r.hint,requestId:r.request_id,candidates:r.candidates,status:t.status,retryAfterMs:i!==null&&/^\d+$/.test(i)?Number(i)*1e3:void 0})}#r(e,t){let n={what:xt(e.verb),requestId:e.id,status:t};if(t===502||t===503||t===504)return new A({...n,why:`a proxy answered ${t}`},!0);let r=`${this.url} answered ${t} with a body that is not Griot's`;return new rt({...n,why:r,hint:`check the address`})}broken(e,t,n,r){let i={what:xt(e.verb),requestId:e.id,cause:t},a=at(e.verb)?null:st;if(n)return new $e({...i,why:`there was no answer within ${r} ms`,hint:a});let o=yt(t);if(o.some(e=>e.startsWith(`HPE_`)))return new rt({...i,why:`${this.url} is not an HTTP server`,hint:`check the address`});let s=!o.some(e=>ct.has(e)),c=s?a:`start a server with griot serve, or set GRIOT_URL to its address`;return new A({...i,why:`${this.url} does not answer: ${bt(t)}`,hint:c},s)}checkStream(e,t,n){if(t.headers.get(`content-type`)?.split(`;`)[0]?.trim()===n)return;let r=`${this.url} did not answer with \`${n}\``;throw new rt({what:xt(e.verb),why:r,hint:`check the address`,requestId:e.id})}interrupted(e,t,n){return new nt({what:`read the stream of \`${e.verb.name}\` to its end`,why:t,requestId:e.id,cause:n})}pause(e,t,n,r){if(n>=this.#n)return null;let i=t instanceof A?at(e)||!t.mayHaveArrived:t instanceof Ge||t instanceof Ke||t instanceof Ze,a=t.retryAfterMs||50*2**n*(.5+Math.random());return i&&a<r?a:null}},ut=class{#e;#t=null;#n=0;constructor(e){this.#e=e}connected(){this.#t=null}received(){this.#n=0}pause(e){let t=performance.now();this.#t??=t;let n=e.retryAfterMs||Math.min(50*2**this.#n,5e3)*(.5+Math.random());if(this.#n+=1,![Ke,Ge,Ze,$e,nt].some(t=>e instanceof t)||t+n-this.#t>this.#e)throw e;return n}},dt=class{#e=``;#t=[];#n=null;feed(e){let t=[],n=(this.#e+e).split(`
`);this.#e=n.pop()??``;for(let e of n){let n=e.endsWith(`\r`)?e.slice(0,-1):e;if(n===``){let e=this.#t.length>0?this.#t.join(`
`):null;(e!==null||this.#n!==null)&&t.push({id:this.#n,data:e}),this.#t=[],this.#n=null;continue}let r=n.indexOf(`:`),i=r<0?n:n.slice(0,r),a=r<0?``:n.slice(r+1).replace(/^ /,``);i===`data`?this.#t.push(a):i===`id`&&(this.#n=a)}return t}};function ft(e){let t=t=>new k({what:`use the address \`${e}\``,why:t,hint:`write it as ${ot}`}),n;try{n=new URL(e)}catch{throw t(`not an address`)}if(n.protocol!==`http:`&&n.protocol!==`https:`)throw t(`not an HTTP address`);if(n.search||n.hash||n.username||n.password)throw t(`it has a query, a fragment or credentials`);return n.origin+n.pathname.replace(/\/+$/,``)}function pt(e,t){try{return JSON.stringify(t)}catch(t){throw new k({what:xt(e),why:`an argument cannot be written as JSON: ${bt(t)}`,cause:t})}}function mt(e,t){let n=t===void 0?``:String(t);if(n===``||n===`.`||n===`..`)throw new k({what:`use \`${n}\` as \`${e}\``,why:`not a valid name`});return gt(n)}function ht(e){return Array.isArray(e)?e.map(e=>gt(String(e))).join(`,`):gt(String(e))}function gt(e){try{return encodeURIComponent(e)}catch(e){throw new k({what:`write the address`,why:`a name contains an unpaired surrogate`,cause:e})}}function _t(e){try{let{error:t}=JSON.parse(e);return typeof t.kind==`string`&&typeof t.what==`string`?t:null}catch{return null}}function vt(){let e=crypto.getRandomValues(new Uint8Array(16));return Array.from(e,e=>e.toString(16).padStart(2,`0`)).join(``)}function yt(e){let t=[];for(let n=e;n;n=n.cause)typeof n.code==`string`&&t.push(n.code);return t}function bt(e){let t=e;for(;t?.cause;)t=t.cause;return t?.message||t?.code||String(e)}function xt(e){return e.method===`GET`?`get \`${e.name}\``:`ask the server to ${e.name}`}var j={remember:{name:`remember`,method:`POST`,path:`/v1/remember`,role:`write`},rememberMany:{name:`rememberMany`,method:`POST`,path:`/v1/remember/batch`,role:`write`},editMemory:{name:`editMemory`,method:`PATCH`,path:`/v1/memories/{name}`,role:`write`},eraseMemory:{name:`eraseMemory`,method:`DELETE`,path:`/v1/memories/{name}`,role:`admin`},show:{name:`show`,method:`GET`,path:`/v1/memories/{name}`,role:`read`},recall:{name:`recall`,method:`POST`,path:`/v1/recall`,role:`read`},context:{name:`context`,method:`POST`,path:`/v1/context`,role:`read`},answer:{name:`answer`,method:`POST`,path:`/v1/answer`,role:`read`},traverse:{name:`traverse`,method:`POST`,path:`/v1/traverse`,role:`read`},link:{name:`link`,method:`POST`,path:`/v1/link`,role:`write`},unlink:{name:`unlink`,method:`POST`,path:`/v1/unlink`,role:`write`},forget:{name:`forget`,method:`POST`,path:`/v1/forget`,role:`write`},restore:{name:`restore`,method:`POST`,path:`/v1/restore`,role:`write`},offers:{name:`offers`,method:`GET`,path:`/v1/offers`,role:`read`},eraseSource:{name:`eraseSource`,method:`DELETE`,path:`/v1/sources/{name}`,role:`admin`},source:{name:`source`,method:`GET`,path:`/v1/sources/{name}`,role:`read`},tagSource:{name:`tagSource`,method:`PATCH`,path:`/v1/sources/{name}`,role:`write`},eraseEntity:{name:`eraseEntity`,method:`DELETE`,path:`/v1/entities/{name}`,role:`admin`},entity:{name:`entity`,method:`GET`,path:`/v1/entities/{name}`,role:`read`},eraseUser:{name:`eraseUser`,method:`DELETE`,path:`/v1/users/{name}`,role:`admin`},erasures:{name:`erasures`,method:`GET`,path:`/v1/erasures`,role:`admin`},why:{name:`why`,method:`POST`,path:`/v1/why`,role:`read`},related:{name:`related`,method:`POST`,path:`/v1/related`,role:`read`},similar:{name:`similar`,method:`POST`,path:`/v1/similar`,role:`read`},path:{name:`path`,method:`POST`,path:`/v1/path`,role:`read`},timeline:{name:`timeline`,method:`POST`,path:`/v1/timeline`,role:`read`},memories:{name:`memories`,method:`GET`,path:`/v1/memories`,role:`read`},notes:{name:`notes`,method:`GET`,path:`/v1/memories/{name}/notes`,role:`read`},undoNote:{name:`undoNote`,method:`POST`,path:`/v1/memories/{name}/notes/undo`,role:`write`},edge:{name:`edge`,method:`GET`,path:`/v1/edges/{name}`,role:`read`},entities:{name:`entities`,method:`GET`,path:`/v1/entities`,role:`read`},hubs:{name:`hubs`,method:`POST`,path:`/v1/hubs`,role:`read`},facts:{name:`facts`,method:`GET`,path:`/v1/facts`,role:`read`},addFact:{name:`addFact`,method:`POST`,path:`/v1/facts`,role:`write`},conflicts:{name:`conflicts`,method:`GET`,path:`/v1/conflicts`,role:`read`},ingest:{name:`ingest`,method:`POST`,path:`/v1/ingest`,role:`write`},sources:{name:`sources`,method:`GET`,path:`/v1/sources`,role:`read`},sourceGraph:{name:`sourceGraph`,method:`GET`,path:`/v1/sources/{name}/graph`,role:`read`},refreshSource:{name:`refreshSource`,method:`POST`,path:`/v1/sources/{name}/refresh`,role:`write`},crawl:{name:`crawl`,method:`POST`,path:`/v1/crawl`,role:`write`},jobs:{name:`jobs`,method:`GET`,path:`/v1/jobs`,role:`read`},job:{name:`job`,method:`GET`,path:`/v1/jobs/{name}`,role:`read`},pauseJob:{name:`pauseJob`,method:`POST`,path:`/v1/jobs/{name}/pause`,role:`write`},resumeJob:{name:`resumeJob`,method:`POST`,path:`/v1/jobs/{name}/resume`,role:`write`},cancelJob:{name:`cancelJob`,method:`POST`,path:`/v1/jobs/{name}/cancel`,role:`write`},retryJob:{name:`retryJob`,method:`POST`,path:`/v1/jobs/{name}/retry`,role:`write`},status:{name:`status`,method:`GET`,path:`/v1/status`,role:`read`},feedback:{name:`feedback`,method:`POST`,path:`/v1/feedback`,role:`write`},rollout:{name:`rollout`,method:`GET`,path:`/v1/rollout`,role:`read`},setRollout:{name:`setRollout`,method:`PATCH`,path:`/v1/rollout`,role:`admin`},verify:{name:`verify`,method:`GET`,path:`/v1/verify`,role:`read`},buildGraphs:{name:`buildGraphs`,method:`POST`,path:`/v1/build-graphs`,role:`write`},gc:{name:`gc`,method:`POST`,path:`/v1/gc`,role:`read`},warnings:{name:`warnings`,method:`GET`,path:`/v1/warnings`,role:`read`},acknowledgeWarning:{name:`acknowledgeWarning`,method:`POST`,path:`/v1/warnings/{name}/acknowledge`,role:`write`},doctor:{name:`doctor`,method:`GET`,path:`/v1/doctor`,role:`admin`},usage:{name:`usage`,method:`GET`,path:`/v1/usage`,role:`read`},enrich:{name:`enrich`,method:`POST`,path:`/v1/enrich`,role:`admin`},merges:{name:`merges`,method:`GET`,path:`/v1/merges`,role:`read`},merge:{name:`merge`,method:`POST`,path:`/v1/merges`,role:`admin`},judgeMerges:{name:`judgeMerges`,method:`POST`,path:`/v1/merges/judge`,role:`admin`},suggestMerges:{name:`suggestMerges`,method:`POST`,path:`/v1/merges/suggest`,role:`admin`},unmerge:{name:`unmerge`,method:`POST`,path:`/v1/merges/{name}/undo`,role:`admin`},applyMerge:{name:`applyMerge`,method:`POST`,path:`/v1/merges/{name}/apply`,role:`admin`},dismissMerge:{name:`dismissMerge`,method:`POST`,path:`/v1/merges/{name}/dismiss`,role:`admin`},export:{name:`export`,method:`GET`,path:`/v1/export`,role:`admin`},events:{name:`events`,method:`GET`,path:`/v1/events`,role:`read`},health:{name:`health`,method:`GET`,path:`/healthz`,role:null},ready:{name:`ready`,method:`GET`,path:`/readyz`,role:null},metrics:{name:`metrics`,method:`GET`,path:`/metrics`,role:null},openApi:{name:`openApi`,method:`GET`,path:`/openapi.json`,role:null}},St=class{remember(e,t){return this.ask(j.remember,e,t)}rememberMany(e,t){return this.ask(j.rememberMany,e,t)}editMemory(e,t){return this.ask(j.editMemory,e,t)}eraseMemory(e,t){return this.ask(j.eraseMemory,e,t)}show(e,t){return this.ask(j.show,e,t)}recall(e,t){return this.ask(j.recall,e,t)}context(e,t){return this.ask(j.context,e,t)}answer(e,t){return this.ask(j.answer,e,t)}traverse(e,t){return this.ask(j.traverse,e,t)}link(e,t){return this.ask(j.link,e,t)}unlink(e,t){return this.ask(j.unlink,e,t)}forget(e,t){return this.ask(j.forget,e,t)}restore(e,t){return this.ask(j.restore,e,t)}offers(e={},t){return this.ask(j.offers,e,t)}eraseSource(e,t){return this.ask(j.eraseSource,e,t)}source(e,t){return this.ask(j.source,e,t)}tagSource(e,t){return this.ask(j.tagSource,e,t)}eraseEntity(e,t){return this.ask(j.eraseEntity,e,t)}entity(e,t){return this.ask(j.entity,e,t)}eraseUser(e,t){return this.ask(j.eraseUser,e,t)}erasures(e={},t){return this.ask(j.erasures,e,t)}why(e,t){return this.ask(j.why,e,t)}related(e,t){return this.ask(j.related,e,t)}similar(e,t){return this.ask(j.similar,e,t)}path(e,t){return this.ask(j.path,e,t)}timeline(e={},t){return this.ask(j.timeline,e,t)}memories(e={},t){return this.ask(j.memories,e,t)}notes(e,t){return this.ask(j.notes,e,t)}undoNote(e,t){return this.ask(j.undoNote,e,t)}edge(e,t){return this.ask(j.edge,e,t)}entities(e={},t){return this.ask(j.entities,e,t)}hubs(e={},t){return this.ask(j.hubs,e,t)}facts(e={},t){return this.ask(j.facts,e,t)}addFact(e,t){return this.ask(j.addFact,e,t)}conflicts(e={},t){return this.ask(j.conflicts,e,t)}ingest(e={},t){return this.ask(j.ingest,e,t)}sources(e={},t){return this.ask(j.sources,e,t)}sourceGraph(e,t){return this.ask(j.sourceGraph,e,t)}refreshSource(e,t){return this.ask(j.refreshSource,e,t)}crawl(e,t){return this.ask(j.crawl,e,t)}jobs(e={},t){return this.ask(j.jobs,e,t)}job(e,t){return this.ask(j.job,e,t)}pauseJob(e,t){return this.ask(j.pauseJob,e,t)}resumeJob(e,t){return this.ask(j.resumeJob,e,t)}cancelJob(e,t){return this.ask(j.cancelJob,e,t)}retryJob(e,t){return this.ask(j.retryJob,e,t)}status(e={},t){return this.ask(j.status,e,t)}feedback(e,t){return this.ask(j.feedback,e,t)}rollout(e={},t){return this.ask(j.rollout,e,t)}setRollout(e,t){return this.ask(j.setRollout,e,t)}verify(e={},t){return this.ask(j.verify,e,t)}buildGraphs(e={},t){return this.ask(j.buildGraphs,e,t)}gc(e={},t){return this.ask(j.gc,e,t)}warnings(e={},t){return this.ask(j.warnings,e,t)}acknowledgeWarning(e,t){return this.ask(j.acknowledgeWarning,e,t)}doctor(e={},t){return this.ask(j.doctor,e,t)}usage(e={},t){return this.ask(j.usage,e,t)}enrich(e={},t){return this.ask(j.enrich,e,t)}merges(e={},t){return this.ask(j.merges,e,t)}merge(e,t){return this.ask(j.merge,e,t)}judgeMerges(e={},t){return this.ask(j.judgeMerges,e,t)}suggestMerges(e={},t){return this.ask(j.suggestMerges,e,t)}unmerge(e,t){return this.ask(j.unmerge,e,t)}applyMerge(e,t){return this.ask(j.applyMerge,e,t)}dismissMerge(e,t){return this.ask(j.dismissMerge,e,t)}health(e){return this.ask(j.health,{},e)}ready(e){return this.ask(j.ready,{},e)}metrics(e){return this.ask(j.metrics,{},e)}openApi(e){return this.ask(j.openApi,{},e)}},Ct=45e3,wt=class extends St{#e;#t;constructor(e={}){super(),this.#e=new lt(e),this.#t=e.fetch??((e,t)=>fetch(e,t))}async*events(e={}){let{after:t,patienceMs:n,signal:r,...i}=e,a=t===void 0?null:String(t),o=new ut(n??6e4);for(;!r?.aborted;){let e=this.#e.request(j.events,i,a),t;try{let n=new dt;for await(let t of this.#r(e,`text/event-stream`,{signal:r})){o.connected();for(let{id:r,data:i}of n.feed(t))a=r??a,i!==null&&(o.received(),yield this.#e.item(e,i))}t=o.pause(this.#e.interrupted(e,`the server ended it`))}catch(e){if(r?.aborted)return;if(!(e instanceof O))throw e;t=o.pause(e)}await Tt(t,r).catch(()=>void 0)}}async*export(e={},t={}){let n=this.#e.request(j.export,e),r=``,i={};for await(let e of this.#r(n,`application/x-ndjson`,t)){let t=(r+e).split(`
`);r=t.pop()??``;for(let e of t)e!==``&&(i=this.#e.item(n,e),yield i)}if(i.type!==`end`)throw this.#e.interrupted(n,`the last record does not mark the end`)}async ask(e,t,n={}){let r=n.timeoutMs??this.#e.timeoutMs,i=performance.now()+r,a=this.#e.request(e,t),o=AbortSignal.timeout(Math.max(0,r)),s=n.signal?AbortSignal.any([o,n.signal]):o;for(let t=0;;t+=1)try{return await this.#n(a,s,o,n.signal,r)}catch(r){if(!(r instanceof O))throw r;let a=this.#e.pause(e,r,t,i-performance.now());if(a===null)throw r;await Tt(a,n.signal)}}async#n(e,t,n,r,i){let a,o;try{a=await this.#t(e.url,{...e.init,signal:t}),o=await a.text()}catch(t){throw r?.throwIfAborted(),this.#e.broken(e,t,n.aborted,i)}return this.#e.meaning(e,a,o)}async*#r(e,t,n){let r=new AbortController,i=new AbortController,a=[r.signal,i.signal,...n.signal?[n.signal]:[]],o=n.timeoutMs??this.#e.timeoutMs,s=setTimeout(()=>i.abort(),o);try{let r;try{if(r=await this.#t(e.url,{...e.init,signal:AbortSignal.any(a)}),r.status!==200)throw this.#e.refusal(e,r,await r.text())}catch(t){throw n.signal?.throwIfAborted(),t instanceof O?t:this.#e.broken(e,t,i.signal.aborted,o)}this.#e.checkStream(e,r,t);let c=r.body?.getReader(),l=new TextDecoder;for(;c;){clearTimeout(s),s=setTimeout(()=>i.abort(),Ct);let t=await c.read().catch(t=>{n.signal?.throwIfAborted();let r=i.signal.aborted?`no more data arrived`:`the connection broke`;throw this.#e.interrupted(e,r,t)});if(t.done)return;clearTimeout(s),yield l.decode(t.value,{stream:!0})}}finally{clearTimeout(s),r.abort()}}};function Tt(e,t){return new Promise((n,r)=>{if(t?.aborted)return r(t.reason);let i=()=>{clearTimeout(a),r(t?.reason)},a=setTimeout(()=>{t?.removeEventListener(`abort`,i),n()},e);t?.addEventListener(`abort`,i,{once:!0})})}var Et=`griot.key`,Dt=`griot.workspace`,M=new class extends EventTarget{constructor(...e){super(...e),this.client=this.#t(),this.#e=null}#e;get workspace(){return sessionStorage.getItem(Dt)??``}use(e,t=this.workspace){for(let[n,r]of[[Et,e],[Dt,t]])r===``?sessionStorage.removeItem(n):sessionStorage.setItem(n,r);this.client=this.#t(),this.watch(),this.dispatchEvent(new Event(`connected`))}async request(e,t={}){let n=new Headers(t.headers),r=sessionStorage.getItem(Et);r&&n.set(`authorization`,`Bearer ${r}`);let i=new URL(e,location.origin);(t.method??`GET`)===`GET`&&this.workspace!==``&&i.searchParams.set(`tenantId`,this.workspace);let a=await fetch(i,{...t,headers:n});if(a.ok||a.status===304)return a;let o=await a.json().catch(()=>null);throw Error([o?.error?.why??a.statusText,o?.error?.hint].filter(Boolean).join(`: `))}watch(){this.#e?.abort();let e=this.#e=new AbortController;(async()=>{for(;!e.signal.aborted;){try{for await(let t of this.client.events({signal:e.signal,patienceMs:6e5}))this.dispatchEvent(new CustomEvent(`changed`,{detail:t}))}catch(e){if(this.dispatchEvent(new CustomEvent(`failed`,{detail:e})),e instanceof O&&[`unauthenticated`,`forbidden`].includes(e.kind))return}await new Promise(e=>setTimeout(e,2e3))}})()}#t(){let e=sessionStorage.getItem(Et);return new wt({url:location.origin,...e?{apiKey:e}:{},...this.workspace?{workspace:this.workspace}:{}})}},Ot=class extends E{render(){return _`<h1>Explore</h1>`}};customElements.define(`griot-explorer`,Ot);function N(e=C().parameters){let[t,n]=[`user`,`project`].map(t=>e.get(t)?.trim());return{...t?{user:t}:{},...n?{project:n}:{}}}function kt(){let{user:e,project:t}=N();return _`<details class="more" ?open=${e!==void 0||t!==void 0}><summary>Scope</summary>
    <form class="row fields" @submit=${e=>{e.preventDefault();let t=new FormData(e.target);T({user:String(t.get(`user`)).trim(),project:String(t.get(`project`)).trim()},!0)}}>
      <label>User <input name="user" .value=${e??``} size="14" placeholder="any"></label>
      <label>Project <input name="project" .value=${t??``} size="14" placeholder="any"></label>
      <button>Show</button>
    </form>
  </details>`}function At(e){if(!e)return null;try{let t=new URL(e);return t.protocol===`http:`||t.protocol===`https:`?t.href:null}catch{return null}}function P(e,t){return w(`sources`,{...N(),source:e,...t?{memory:t}:{}})}function F(e,t){let{page:n,parameters:r}=C();return w(`ask`,{...n===`ask`?Object.fromEntries(r):N(),of:e,view:t})}function I(e,t=60){if(e.length<=t)return e;let n=Math.floor((t-1)/2);return`${e.slice(0,n)}…${e.slice(-n)}`}var jt=2e3,L=class{#e;#t;constructor(e){this.value=null,this.failure=null,this.busy=!1,this.#t=null,this.#e=e,e.addController(this)}hostDisconnected(){this.#t?.abort()}ask(e){return this.#n(e,!0)}send(e){return this.#n(e,!1)}async#n(e,t){this.#t?.abort();let n=this.#t=new AbortController;this.busy=!0,this.#e.requestUpdate();let r=!1;for(;!n.signal.aborted;)try{let t=await e(n.signal);if(n.signal.aborted)return;this.value=t,this.failure=null;break}catch(e){if(n.signal.aborted)return;if(this.failure=e,r||Mt(e),!t||!(e instanceof A))break;r=!0,this.#e.requestUpdate(),await new Promise(e=>setTimeout(e,jt))}n.signal.aborted||(this.busy=!1,this.#e.requestUpdate())}forget(){this.#t?.abort(),this.value=null,this.failure=null,this.busy=!1,this.#e.requestUpdate()}};function Mt(e){e instanceof O&&(e instanceof A||e.kind===`unauthenticated`)&&M.dispatchEvent(new CustomEvent(`failed`,{detail:e}))}var Nt=1e3;function Pt(e){let t=!1;return()=>{t||(t=!0,setTimeout(()=>{t=!1,e()},Nt))}}function Ft(e,t){D(e,M,`changed`,Pt(()=>e.isConnected&&t()))}function R(e){if(e==null)return y;let{why:t,hint:n}=It(e);return _`<p class="told" role="alert"><strong class="bad">${t}</strong>${n?_` <span class="quiet">${n}</span>`:y}</p>`}function It(e){if(e instanceof O){let t=`Could not ${e.what}: ${e.why}.`;return e.kind===`forbidden`?{why:t,hint:e.hint??`The key of this tab may not do this.`}:{why:t,hint:e.hint}}return{why:e instanceof Error?e.message:String(e),hint:null}}function z(e){let t=new Date(e);if(Number.isNaN(t.getTime()))return e;let n=e.includes(`T00:00:00`);return t.toLocaleString(void 0,{year:`numeric`,month:`short`,day:`numeric`,timeZone:`UTC`,...n?{}:{hour:`2-digit`,minute:`2-digit`}})}function B(e){return e===null?y:_`<time datetime=${e} title=${e}>${z(e)}</time>`}function V(e,t,n=`${t}s`){return`${e.toLocaleString()} ${e===1?t:n}`}function Lt(e){if(e<60)return`${Math.max(1,Math.round(e))} s`;let t=Math.round(e/60);return t<60?`${t} min`:`${Math.floor(t/60)} h ${t%60} min`}function H(e){return`${(e*100).toLocaleString(void 0,{maximumFractionDigits:1})} %`}function Rt(e){let t=e[0];return t?_`<ol class="steps">
    <li>${Bt(t.from)}</li>
    ${e.map(e=>_`<li>${Vt(e)}${Bt(e.to)}</li>`)}
  </ol>`:y}function zt(e){let t=e.flatMap(e=>[e.from,e.to]).map(U);return w(`explore`,{around:[...new Set(t)]})}function U(e){return e.type===`memory`?e.name:e.id}function Bt(e){let t=F(U(e),e.type===`memory`?`why`:`timeline`);return e.type===`memory`?_`<a class="node" href=${t}>
    <span class="handle">${e.name}</span> <span class="quiet">${B(e.occurred_at)}</span>
    <span class="clip words" dir="auto">${e.excerpt??``}</span>
  </a>`:_`<a class="node entity" href=${t}>
      <span class="clip">${e.name}</span> <span class="quiet">${e.entity_type??``}</span>
    </a>`}function Vt(e){return _`<details class="arrow">
    <summary>
      <span>${e.reads}</span>
      <svg viewBox="0 0 60 10" aria-hidden="true"><path d="M0 5h52M46 1l8 4-8 4" /></svg>
      <span class="quiet">${H(e.confidence)}</span>
    </summary>
    <dl class="pairs">
      <dt>kind</dt><dd>${e.kind}${e.label?` (${e.label})`:``}, ${e.family}</dd>
      <dt>weight</dt><dd>${e.weight.toFixed(2)}</dd>
      <dt>from</dt><dd>${e.provenance}</dd>
      ${e.hours===null?y:_`<dt>hours</dt><dd>${e.hours.toFixed(1)}</dd>`}
      ${e.expires_at?_`<dt>expires</dt><dd>${B(e.expires_at)}</dd>`:y}
      ${e.evidence.map(e=>e.quote||e.reason?_`<dt>evidence</dt><dd dir="auto">${e.quote?_`<q>${e.quote}</q>`:y} ${e.reason}</dd>`:y)}
    </dl>
  </details>`}function Ht(e){let t=e.since?` since ${z(e.since)}`:``,n=e.until?` until ${z(e.until)}`:``,r=e.certain?``:`, read from the texts`;switch(e.is){case`current`:return{words:`current${t}${n}${r}`,tone:`good`,sign:`✓`};case`outdated`:return{words:`outdated${t}${r}`,tone:`warn`,sign:`⟲`};case`planned`:return{words:`planned${e.since?` for ${z(e.since)}`:``}${n}${r}`,tone:`quiet`,sign:`…`};case`cancelled`:return{words:`cancelled${t}${r}`,tone:`bad`,sign:`✕`};case`temporary`:return{words:`temporary${t}${n}${r}`,tone:`quiet`,sign:`◷`};case`contradicted`:return{words:`contradicted${t}${r}`,tone:`bad`,sign:`≠`};default:return{words:`${e.is}${t}${n}${r}`,tone:`quiet`,sign:`•`}}}var Ut={direct_match:`it has the words of the question`,similar_meaning:`its meaning is close to the question`,place:`it stands next to what was asked, in the same session or document`,graph_expansion:`the graph leads to it`,time:`it happened at the time that was asked for`};function Wt(e){return Ut[e.why_included]??e.why_included}var Gt={floor:`too unlikely to bear on the question`,scope:`of another project`,limit:`beyond the number of results`,budget:`beyond the budget of tokens`,redundant:`a result says the same`,superseded:`replaced by a newer memory`};function Kt(e){return Gt[e]??e}var qt={feature_flag_disabled:`the setting recall.graph is off`,rollout_off:`the rollout is off`,shadow_mode:`in shadow the graph is only measured`,quality_gate_blocked:`the quality gate holds it back`,graph_expansion_error:`it failed`,rollout_guardrail:`its rollout could not be read`};function Jt(e){if(e.applied===`hybrid_graph`)return`With the graph, which reached ${V(e.graph_candidates,`memory`,`memories`)}`;let t=e.fallback_reason;return t?`Without the graph: ${qt[t]??t}`:`Without the graph`}var Yt={why:`a question for reasons`,when:`a question for a time`,entity:`a question about a thing`,general:`a general question`};function Xt(e){return e.intent===`why`&&e.direction===`consequences`?`a question for what followed`:Yt[e.intent]??e.intent}function W(e){return e.replaceAll(`_`,` `)}function Zt(e){let t=W(e).toLowerCase();return t.charAt(0).toUpperCase()+t.slice(1)}var Qt=[`read`,`write`,`admin`],$t=2e3,G=new class extends EventTarget{constructor(){super(),this.status=null,M.addEventListener(`connected`,()=>{this.status=null,this.load()}),M.addEventListener(`changed`,Pt(()=>void this.load())),this.load()}may(e){let t=this.status?.role;return!t||Qt.indexOf(t)>=Qt.indexOf(e)}get isEmpty(){let e=this.status?.counts;return e!==void 0&&e.memories===0&&e.sources===0}async load(){try{this.status=await M.client.status(),this.dispatchEvent(new Event(`told`))}catch(e){Mt(e),e instanceof A&&setTimeout(()=>void this.load(),$t)}}};function K(e){D(e,G,`told`,()=>e.requestUpdate())}var en=/[\p{L}\p{N}]+/gu,tn=/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u,nn=4;function rn(e,t,n){let r=an(e,t),[i,a]=e.length<=n?[0,e.length]:cn(e,r,n),o=[],s=i;for(let t of r)t.start<s||t.end>a||(t.start>s&&o.push({text:e.slice(s,t.start),marked:!1}),o.push({text:e.slice(t.start,t.end),marked:!0}),s=t.end);return s<a&&o.push({text:e.slice(s,a),marked:!1}),{pieces:o,cutBefore:i>0,cutAfter:a<e.length}}function an(e,t){let n=[];for(let r of e.matchAll(en)){let e=sn(r[0]);for(let[i,a]of t.entries())if(tn.test(a))for(let e=r[0].indexOf(a);e>=0;e=r[0].indexOf(a,e+a.length))n.push({start:r.index+e,end:r.index+e+a.length,term:i});else if(on(e,a)){n.push({start:r.index,end:r.index+r[0].length,term:i});break}}return n.sort((e,t)=>e.start-t.start)}function on(e,t){return t===``||e.length>t.length+Math.min(nn,t.length+1)?!1:e.startsWith(t)||t.endsWith(`i`)&&e===`${t.slice(0,-1)}y`}function sn(e){return e.normalize(`NFKD`).replace(/\p{M}/gu,``).toLowerCase()}function cn(e,t,n){let r=[],i=-1;for(let e=0;e<t.length;e+=1){let a=e;for(;a+1<t.length&&t[a+1].end-t[e].start<=n;)a+=1;let o=t.slice(e,a+1),s=new Set(o.map(e=>e.term)).size*1e3+o.length;s>i&&([r,i]=[o,s])}let a=r[0]?.start??0,o=r.at(-1)?.end??0,s=Math.max(0,n-(o-a)),c=Math.max(0,Math.min(a-Math.floor(s/3),e.length-n));return[ln(e,c,a),un(e,Math.min(e.length,c+n),o)]}function ln(e,t,n){if(t===0)return 0;let r=e.slice(t,n).search(/\s/);return r<0?t:t+r+1}function un(e,t,n){if(t>=e.length)return e.length;let r=e.slice(n,t).search(/\s\S*$/);return r<0?t:n+r}var dn=480;function fn(e){return e.map(e=>e.marked?_`<mark>${e.text}</mark>`:_`${e.text}`)}function q({words:e,tone:t,sign:n}){return _`<span class=${`chip ${t}`}><span aria-hidden="true">${n}</span> ${e}</span>`}var pn=class extends E{static{this.properties={result:{},rank:{},terms:{},answer:{},moved:{},view:{},whole:{state:!0}}}constructor(){super(),this.whole=!1,this.moved=void 0,this.view=null}render(){let{result:e,view:t}=this;return _`<article class="card answer" tabindex="-1" data-handle=${e.handle}
      aria-label=${`Answer ${this.rank}`}>
      <header class="row">
        <span class="rank">${this.rank}</span>
        ${e.standing?q(Ht(e.standing)):y}
        ${e.standing?.by_handle?_`<a class="chip" href=${F(e.standing.by_handle,`why`)}>
          by <span class="handle">${e.standing.by_handle}</span></a>`:y}
        <span class="chip">${e.kind}</span>
        ${e.tier===`working`?_`<span class="chip">expires ${B(e.expires_at)}</span>`:y}
        ${e.flags.map(e=>_`<span class="chip bad"><span aria-hidden="true">!</span>
          ${e===`secret`?`holds a key or password`:`gives orders to a model`}</span>`)}
        ${e.source.trust===`web`?_`<span class="chip warn"><span aria-hidden="true">⚐</span>
          from the web</span>`:y}
        ${this.#t()}
        <span class="grow"></span>
        <span class="score" title="Probability that it bears on the question">
          <meter min="0" max="1" .value=${e.score} aria-label="Probability"></meter>
            ${e.score.toFixed(2)}</span>
      </header>
      ${e.heading.length>0?_`<p class="quiet heading" dir="auto">${e.heading.join(` › `)}</p>`:y}
      ${this.#e()}
      <footer>
        <p class="quiet about">
          <span class="handle">${e.handle}</span>
          ${e.speaker?_`<span dir="auto" class="clip">${e.speaker}</span>`:y}
          ${B(e.occurred_at)}
          ${e.user?_`<span class="chip">user ${e.user}</span>`:y}
          ${e.project?_`<span class="chip">project ${e.project}</span>`:y}
          ${e.tags.map(e=>_`<span class="chip">${e}</span> `)}
          ${this.#n()}
        </p>
        <div class="row actions">
          ${this.#r(`why`,`Why`,t)}
          ${this.#r(`followed`,`What followed`,t)}
          ${this.#r(`timeline`,`Before and after`,t)}
          ${this.#r(`found`,`How it was found`,t)}
          <span class="grow"></span>
          ${G.may(`write`)?_`<griot-verdict .answer=${this.answer} .memory=${e.handle}></griot-verdict>`:y}
        </div>
      </footer>
      ${t===`found`?this.#i():t?_`<griot-story .name=${e.handle} .view=${t}></griot-story>`:y}
    </article>`}#e(){let{text:e}=this.result,t=rn(e,this.terms,this.whole?e.length:dn);return _`<p class="said" dir="auto">${t.cutBefore?`… `:``}${fn(t.pieces)}${t.cutAfter?` …`:``}</p>
      ${e.length>dn?_`<button class="plain" aria-expanded=${this.whole}
        @click=${()=>this.whole=!this.whole}>${this.whole?`Show less`:`Show all`}</button>`:y}`}#t(){if(this.moved===void 0||this.moved===0)return y;if(this.moved===null)return _`<span class="chip good"><span aria-hidden="true">+</span>
      only here</span>`;let e=Math.abs(this.moved);return this.moved>0?_`<span class="chip"><span aria-hidden="true">↑</span> ${e} higher here</span>`:_`<span class="chip"><span aria-hidden="true">↓</span> ${e} lower here</span>`}#n(){let{source:e,cite:t,handle:n,also_in:r}=this.result,i=t??e.title??e.origin??e.id,a=At(e.origin);return _`<a href=${P(e.id,n)} title=${i} dir="auto">${I(i)}</a>
      ${a?_`<a href=${a} target="_blank" rel="noopener noreferrer">open the page</a>`:y}
      ${r.map(e=>_`<span>also in
        <a href=${P(e.source.id,e.handle)}>${I(e.cite??e.source.origin??e.source.id)}</a></span> `)}`}#r(e,t,n){let r=n===e;return _`<button aria-expanded=${r}
      @click=${()=>T(r?{of:``,view:``}:{of:this.result.handle,view:e})}>${t}</button>`}#i(){let{result:e}=this;return _`<section class="found">
      <p>It is here because ${Wt(e)}.${e.entities.length>0?_` It shares with the question: ${e.entities.map(e=>_`<a class="chip"
          href=${F(e,`timeline`)}>${e} over time</a> `)}`:y}</p>
      ${e.path.length>0?_`<h3>Path</h3>${Rt(e.path)}
          <p><a href=${zt(e.path)}>Show in graph</a></p>`:_`<p class="quiet">No path over the graph was needed.
          <a href=${w(`explore`,{around:e.handle})}>Show in graph</a></p>`}
      <h3>What the score is made of</h3>
      ${mn(e.signals)}
    </section>`}};function mn(e){let t=e.filter(e=>Math.abs(e.share)>=5e-4).sort((e,t)=>t.share-e.share),n=Math.max(...t.map(e=>Math.abs(e.share)),.001);return _`<table class="signals"><thead><tr><th scope="col">Signal</th><th scope="col">Measured</th>
    <th scope="col">Adds</th><th><span class="unseen">Share</span></th></tr></thead>
    <tbody>${t.map(e=>_`<tr><td>${W(e.name)}</td><td>${e.value.toFixed(2)}</td>
      <td>${e.share.toFixed(3)}</td>
      <td><meter min="0" .max=${n}
        .value=${Math.abs(e.share)} aria-label=${W(e.name)}></meter></td>
    </tr>`)}</tbody></table>`}var hn=class extends E{static{this.properties={answer:{},memory:{},given:{state:!0}}}#e=new L(this);constructor(){super(),this.memory=void 0,this.given=null}render(){let e=this.memory?`This`:`The whole answer`,t=(t,n,r)=>_`<button aria-pressed=${this.given===t}
      title=${`${e} ${t?`helped`:`did not help`}`} ?disabled=${this.#e.busy}
      @click=${()=>this.#t(t)}><span aria-hidden="true">${r}</span> ${n}</button>`;return _`<span class="verdict row" role="group" aria-label=${`Feedback: ${e}`}>
      ${this.memory?y:_`<span class="quiet">The whole answer:</span>`}
      ${t(!0,`helped`,`▲`)}${t(!1,`did not`,`▼`)}
      <span class="quiet" role="status">${this.#e.value??``}</span>${R(this.#e.failure)}
    </span>`}#t(e){this.given=e,this.#e.send(async t=>{let n=this.memory?[this.memory]:[],{credited:r}=await M.client.feedback({answer:this.answer,memories:n,good:e},{signal:t}),i=r.some(e=>e.strategy===`hybrid_graph`);return r.length===0?`not counted`:i?`counted for the graph`:`counted`})}};customElements.define(`griot-card`,pn),customElements.define(`griot-verdict`,hn);var gn=class extends E{static{this.properties={uploads:{state:!0},over:{state:!0}}}#e=!1;constructor(){super(),this.uploads=[],this.over=!1}render(){return _`<div class=${`drop ${this.over?`over`:``}`}
      @dragover=${e=>{e.preventDefault(),this.over=!0}}
      @dragleave=${()=>this.over=!1}
      @drop=${e=>{e.preventDefault(),this.over=!1,this.#n([...e.dataTransfer?.files??[]])}}>
      <label>Tags, with commas between <input name="tags" autocomplete="off"></label>
      <label>Project <input name="project" autocomplete="off" placeholder="none in particular"></label>
      <label class="files">Drop files here, or choose them
        <input type="file" multiple @change=${e=>{let t=e.target;this.#n([...t.files??[]]),t.value=``}}></label>
      <ul role="status" class="uploads">${this.uploads.map(e=>_`<li>
        <span class="clip">${e.file.name}</span> ${this.#t(e)}</li>`)}</ul>
    </div>`}#t({state:e,stored:t,why:n}){if(e===`failed`)return _`<span class="bad">${n}</span>`;if(e!==`stored`||!t)return _`<span class="quiet">${e}…</span>`;let r=t.unchanged>0&&t.added===0?`has not changed`:`${V(t.added,`memory`,`memories`)}, ${V(t.entities,`new entity`,`new entities`)}`,i=[...t.failed.map(e=>e.message),...Object.keys(t.unread).map(e=>`files ${e} are not read`)];return _`<span class="good">${r}</span>
      ${t.flagged>0?_`<span class="warn">${V(t.flagged,`memory`,`memories`)} hold a key, a password or orders to
        a model</span>`:y}
      ${i.map(e=>_`<span class="bad">${e}</span> `)}
      ${t.sourceId?_`<a href=${w(`sources`,{source:t.sourceId})}>show</a>`:y}`}#n(e){this.uploads=[...e.map(e=>({file:e,state:`waiting`,stored:null,why:``})),...this.uploads],this.#r()}async#r(){if(!this.#e){this.#e=!0;for(let e=this.#i();e;e=this.#i()){e.state=`sending`,this.requestUpdate();try{e.stored=await this.#a(e.file),e.state=`stored`}catch(t){e.state=`failed`,e.why=It(t).why}this.requestUpdate()}this.#e=!1,G.load(),this.dispatchEvent(new Event(`stored`,{bubbles:!0}))}}#i(){return this.uploads.findLast(e=>e.state===`waiting`)}async#a(e){let t=new FormData,n=e=>this.querySelector(`input[name=${e}]`)?.value.trim()??``;n(`tags`)!==``&&t.append(`tags`,n(`tags`)),n(`project`)!==``&&t.append(`project`,n(`project`));let{user:r}=N();return r&&t.append(`user`,r),t.append(`file`,e,e.name),await(await M.request(`/api/knowledge/ingest`,{method:`POST`,body:t})).json()}};customElements.define(`griot-upload`,gn);var _n=class extends E{#e=new L(this);render(){let e=this.#e.value;return _`<section class="start" aria-label="An empty workspace">
      <p>This workspace is empty. Three ways to put something into it:</p>
      <div class="ways">
        ${G.may(`write`)?_`<form class="card" @submit=${e=>{e.preventDefault();let t=e.target,n=String(new FormData(t).get(`text`)).trim();n!==``&&this.#t(n)}}>
          <h2>Remember a text</h2>
          <label><span class="unseen">Text</span><textarea name="text" rows="4" dir="auto" required
            placeholder="We moved sessions to Redis because Postgres was too slow."></textarea></label>
          <button class="primary" ?disabled=${this.#e.busy}>Remember</button>
          ${R(this.#e.failure)}
          ${e?_`<p class="good" role="status">Stored as
            <span class="handle">${e.handle}</span>.
            <a href=${w(`ask`,{q:`why?`})}>Ask about it</a></p>`:y}
        </form>
        <div class="card"><h2>Drop a file</h2><griot-upload></griot-upload></div>`:_`<p class="card">
          The key of this tab may only read: somebody with the role write fills the workspace.</p>`}
        <div class="card"><h2>Connect an agent</h2>
          <p>On its machine, this connects the host program that is found there:</p>
          <pre><code>griot connect</code></pre>
          <p class="quiet"><code>griot connect --list</code> shows which there are.</p></div>
      </div>
    </section>`}async#t(e){await this.#e.send(t=>M.client.remember({text:e,source:`page`,...N()},{signal:t})),this.#e.value&&G.load()}};customElements.define(`griot-start`,_n);function vn(e){let t=e.map(e=>e.hops.map(e=>e.edge??`${e.from.id} ${e.kind} ${e.to.id}`));return e.filter((e,n)=>{let r=t[n];return!t.some((e,t)=>t!==n&&(e.length>r.length||e.length===r.length&&t<n)&&r.every(t=>e.includes(t)))})}function yn(e,t){let n=e=>e===null?null:Date.parse(e),r=e.flatMap(e=>[n(e.valid_from),n(e.valid_to)]).filter(e=>e!==null),i=e.map(e=>Date.parse(e.recorded_at)),a=Math.min(...r,...i,t),o=Math.max(...r,t),s=Math.max(1,o-a),c=new Map;for(let t of e){let e=n(t.valid_from)??a,r=n(t.valid_to??t.superseded_at)??o,i={fact:t,at:(e-a)/s,share:Math.max(0,r-e)/s,begins:t.valid_from!==null,ends:t.valid_to!==null||t.superseded_at!==null};c.set(t.predicate,[...c.get(t.predicate)??[],i])}return{rows:[...c].map(([e,t])=>({predicate:e,spans:t.sort((e,t)=>e.at-t.at)})),from:a,until:o}}function bn(){let{page:e,parameters:t}=C(),n=e===`ask`?t.get(`as_of`)?.trim():void 0;return n?{now:n}:{}}var xn=class extends E{static{this.properties={name:{},view:{}}}#e=new L(this);#t=``;constructor(){super(),this.name=``,this.view=`why`}willUpdate(){let e={...N(),...bn()},t=JSON.stringify([this.view,this.name,e]);if(t===this.#t)return;this.#t=t;let{name:n,view:r}=this,i=n.startsWith(`#`)||/^[0-9a-f]{8}-/.test(n);this.#e.value=null,this.#e.ask(async t=>{if(r!==`timeline`){let i=r===`followed`?`consequences`:`causes`;return{why:await M.client.why({name:n,direction:i,...e},{signal:t})}}return i?{timeline:await M.client.timeline({anchor:n,...e},{signal:t})}:{entity:await M.client.entity({name:n,limit:30,...e},{signal:t})}})}render(){let{value:e,failure:t,busy:n}=this.#e;return _`<div class="story">
      ${R(t)}
      ${n&&!e?_`<p class="quiet">Looking…</p>`:y}
      ${e?`why`in e?this.#n(e.why):`timeline`in e?this.#r(e.timeline):this.#i(e.entity):y}
    </div>`}#n(e){let t=this.view===`followed`,n=vn(t?e.consequences:e.causes),r=t?`What followed`:`Why`;return n.length===0?_`<div class="steps">${Bt(e.start)}</div>
        <p class="quiet">${t?`Nothing is known to have followed from it.`:`No cause of it is known.`} <a href=${w(`explore`,{around:this.name})}>Look around it in the
          graph</a></p>`:_`<h3>${r}</h3>
      ${n.map(e=>_`<div class="chain">
        <p class="quiet">Certain to ${H(e.confidence)}${e.prevents?` · a step prevents`:``} ·
          <a href=${zt(e.hops)}>show in graph</a></p>
        ${Rt(e.hops)}</div>`)}
      ${e.cycles.length>0?_`<p class="warn">The causes form a circle;
        <a href=${w(`review`,{kind:`warning`})}>review
        it</a>.</p>`:y}
      ${e.truncated?_`<p class="warn">There is more: the walk stopped at its bound.</p>`:y}`}#r({before:e,anchor:t,after:n}){let r=(e,t)=>_`<li class=${t?`here`:``}
      aria-current=${t?`true`:y}>
      <span class="quiet">${B(e.occurred_at)}</span>
      <a class="handle" href=${F(e.handle,`why`)}>${e.handle}</a>
      ${e.speaker?_`<strong class="clip">${e.speaker}</strong>`:y}
      <span class="clip two" dir="auto">${e.text}</span></li>`;return _`<h3>Before and after</h3>
      <ol class="events">${e.map(e=>r(e,!1))}${t?r(t,!0):y}
        ${n.map(e=>r(e,!1))}</ol>`}#i({entity:e,facts:t,mentions:n,mention_count:r}){let i=[...n].sort((e,t)=>e.occurred_at.localeCompare(t.occurred_at));return _`<h3><span class="clip">${e.name}</span> over time
      <span class="quiet">${e.type}</span></h3>
      <p class="quiet">First mentioned ${B(e.first_seen)}, last ${B(e.last_seen)} ·
        <a href=${F(e.id,`why`)}>why</a> ·
        <a href=${F(e.id,`followed`)}>what followed</a> ·
        <a href=${w(`explore`,{around:e.id})}>show in graph</a></p>
      ${t.length>0?Sn(t):_`<p class="quiet">No fact about it is known.</p>`}
      <h3>Said about it${r>n.length?` (the latest ${n.length} of ${r})`:``}</h3>
      <ol class="events">${i.map(e=>_`<li><span class="quiet">${B(e.occurred_at)}</span>
        <a class="handle" href=${F(e.handle,`why`)}>${e.handle}</a>
        <span class="clip two" dir="auto">${e.text}</span></li>`)}</ol>`}};function Sn(e){let{rows:t,from:n,until:r}=yn(e,Date.now()),i=e=>new Date(e).toISOString();return _`<div class="values">
    ${t.map(({predicate:e,spans:t})=>_`<div class="value-row"><span class="quiet">${W(e)}</span>
      <ul>${t.map(e=>_`<li class=${e.fact.current?``:`past`}>
        <svg class="bar-of-time" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">${Oe`
          <rect class="axis" x="0" y="2.5" width="100" height="1"></rect>
          <rect class=${e.fact.current?`now`:`then`} x=${e.at*100} y="0.5"
            width=${Math.max(.8,e.share*100)} height="5"></rect>`}</svg>
        <span><strong class="clip" dir="auto">${e.fact.object}</strong>
          <span class="quiet">${e.begins?_`from ${B(e.fact.valid_from)}`:`begin not known`}
          ${e.ends?_`until ${B(e.fact.valid_to??e.fact.superseded_at)}`:`until now`}</span>
          ${e.fact.current?_`<span class="chip good"><span aria-hidden="true">✓</span> holds</span>`:y}
          ${e.fact.contradicts.length>0?_`<a class="chip bad" href=${w(`review`,{kind:`conflict`})}>
            <span aria-hidden="true">≠</span> contradicted</a>`:y}</span></li>`)}</ul></div>`)}
    <p class="quiet ends"><span>${z(i(n))}</span><span>${z(i(r))}</span></p>
  </div>`}customElements.define(`griot-story`,xn);var Cn=[[`why`,`Why`],[`followed`,`What followed`],[`timeline`,`Over time`]],wn=8;function J(e){let t=t=>e.get(t)?.trim()??``;if(t(`q`)===``)return null;let n={query:t(`q`),rejected:!0};t(`as_of`)!==``&&(n.as_of=t(`as_of`)),Object.assign(n,N(e)),e.has(`trusted`)&&(n.trusted=!0),e.has(`superseded`)&&(n.superseded=!0),t(`source`)!==``&&(n.sources=[t(`source`)]);let r=t(`graph`);return{request:n,graph:r===`off`||r===`both`?r:``,answer:e.has(`answer`)}}function Tn(e,t){let n=new Map(t.map((e,t)=>[e.id,t]));return new Map(e.map((e,t)=>{let r=n.get(e.id);return[e.id,r===void 0?null:r-t]}))}var En=class extends E{static{this.properties={copied:{state:!0},changed:{state:!0}}}#e=new L(this);#t=new L(this);#n=new L(this);#r=new L(this);#i=new L(this);#a=``;#o=``;constructor(){super(),this.copied=null,this.changed=!1,D(this,window,`hashchange`,()=>this.#s()),D(this,M,`changed`,()=>this.changed=this.#e.value!==null),K(this),Ft(this,()=>J(C().parameters)===null&&this.#c())}connectedCallback(){super.connectedCallback(),this.#a=``,this.#s()}#s(){if(C().page!==`ask`)return;this.requestUpdate();let e=J(C().parameters),t=JSON.stringify(e);if(t===this.#a)return;this.#a=t,this.copied=null,this.changed=!1;for(let e of[this.#e,this.#t,this.#n,this.#r])e.forget();if(e===null){this.#c();return}let{request:n,graph:r,answer:i}=e,a=e=>t=>M.client.recall({...n,...e},{signal:t});if(this.#e.ask(a(r===`off`?{no_graph:!0}:r===`both`?{graph:!0}:{})),r===`both`&&this.#t.ask(a({no_graph:!0})),!i)return;let o=r===`off`?{no_graph:!0}:{};this.#n.ask(e=>M.client.answer({...n,...o},{signal:e,timeoutMs:18e4}))}#c(){this.#i.ask(e=>M.client.memories({limit:wn,...N()},{signal:e}))}updated(){let e=C().parameters.get(`of`)??``;if(e===this.#o)return;let t=this.querySelector(`section[data-story]`);(e===``||t||!this.#e.busy)&&(this.#o=e,t?.scrollIntoView({block:`nearest`}))}#l(){this.#a=``,this.#s()}render(){let{parameters:e}=C(),t=e.get(`of`),n=this.#e.value?.results.some(e=>e.handle===t)??!1;return _`
      <h1>Ask</h1>
      ${G.isEmpty?_`<griot-start></griot-start>`:this.#u(e)}
      ${t&&!n&&!this.#e.busy?this.#p(t,e):y}
      ${R(this.#e.failure)}
      ${J(e)||t||G.isEmpty?y:this.#f()}
      <div aria-live="polite">${this.#m()}</div>
      ${e.has(`answer`)?this.#x():y}
      ${this.#e.value?this.#h(this.#e.value):y}
      ${this.#w()}
    `}#u(e){let t=t=>e.get(t)??``,n=[`user`,`project`,`trusted`,`superseded`,`source`].some(t=>e.has(t));return _`<form class="card ask" role="search" @submit=${e=>{e.preventDefault(),this.#d(e.target)}}>
      <div class="row">
        <label class="grow"><span class="unseen">Question</span>
          <input name="q" type="search" dir="auto" required autocomplete="off" .value=${t(`q`)}
            placeholder="What do you want to know? Why was it decided? What changed?">
        </label>
        <button class="primary">Ask</button>
      </div>
      <div class="row fields">
        <label>As of <input name="as_of" .value=${t(`as_of`)} placeholder="today, 2026-03, last week"
          size="18"></label>
        <label>Graph
          <select name="graph" .value=${t(`graph`)}>
            <option value="" ?selected=${t(`graph`)===``}>used</option>
            <option value="off" ?selected=${t(`graph`)===`off`}>not used</option>
            <option value="both" ?selected=${t(`graph`)===`both`}>both, side by side</option>
          </select>
        </label>
        <label class="inline"><input name="answer" type="checkbox" .checked=${e.has(`answer`)}>
          let the language model answer</label>
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
    </form>`}#d(e){let t=new FormData(e),n=e=>String(t.get(e)??``).trim(),r=e=>t.has(e)?`1`:``;T({q:n(`q`),as_of:n(`as_of`),graph:n(`graph`),user:n(`user`),project:n(`project`),source:n(`source`),answer:r(`answer`),trusted:r(`trusted`),superseded:r(`superseded`),of:``,view:``},!0),this.changed&&this.#l()}#f(){let e=G.status?.top_entities??[];return _`${R(this.#i.failure)}
      ${e.length>0?_`<section><h2>What it knows most about</h2>
        <p class="things">${e.map(({entity:e,degree:t})=>_`<a class="chip" dir="auto"
          href=${F(e.id,`timeline`)}>${e.name} <span class="quiet">${t}</span></a> `)}</p>
      </section>`:y}
      ${this.#i.value&&this.#i.value.length>0?_`<section><h2>Stored last</h2>
        <ol class="events">${this.#i.value.map(e=>_`<li>
          <span class="quiet">${B(e.recorded_at)}</span>
          <a class="handle" href=${F(e.handle,`why`)}>${e.handle}</a>
          <span class="clip two" dir="auto">${e.text}</span></li>`)}</ol></section>`:y}`}#p(e,t){let n=t.get(`view`)??`why`;return _`<section class="card" data-story aria-label=${`About ${e}`}>
      <div class="row actions"><strong class="grow handle clip">${e}</strong>
        ${Cn.map(([e,t])=>_`<button aria-pressed=${e===n}
          @click=${()=>T({view:e})}>${t}</button>`)}
        <button @click=${()=>T({of:``,view:``})}>Close</button></div>
      <griot-story .name=${e} .view=${n}></griot-story>
    </section>`}#m(){if(this.#e.busy)return _`<p class="quiet">Asking…</p>`;let e=this.#e.value;return e?_`
      ${this.changed?_`<p class="warn">The memory has changed since.
            <button @click=${()=>this.#l()}>Ask again</button></p>`:y}
      <p class="quiet summary">
        ${V(e.results.length,`answer`)} from ${V(e.candidates,`candidate`)},
        about ${V(e.tokens,`token`)}. Understood as ${Xt(e.understanding)}.
          ${Jt(e.rollout)}.
        ${e.understanding.times.map(e=>_`<span class="chip">${e.words}:
          ${B(e.interval.start)} to ${B(e.interval.end)}</span> `)}
        ${e.understanding.entities.map(e=>_`<a class="chip"
          href=${F(e.id,`timeline`)}>${e.name} over time</a> `)}
      </p>
      ${e.missing.map(e=>_`<p class="warn">Not used: ${e}</p>`)}
    `:y}#h(e){let t=J(C().parameters)?.graph===`both`,n=t?this.#t.value:null;return _`
      ${e.abstained===null?y:_`<p class="card silent">${e.abstained}</p>`}
      ${this.#v(e)}
      <div class="row actions">
        ${e.results.length>0?_`<button @click=${()=>this.#C()} ?disabled=${this.#r.busy}>Copy as
            context</button>`:y}
        ${G.may(`write`)?_`<griot-verdict .answer=${e.rollout.id}></griot-verdict>`:y}
      </div>
      ${R(this.#r.failure)}
      ${t?_`<div class="beside">
          ${this.#g(`With the graph`,e,n)}
          ${n?this.#g(`Without the graph`,n,e):_`<div>${R(this.#t.failure)}<p class="quiet">Asking without the graph…</p></div>`}
        </div>`:this.#_(e,null)}
      ${this.#y(e.rules,e.rules_left_out)}
      ${this.#b(e.rejected)}
    `}#g(e,t,n){return _`<section><h2>${e}</h2>
      <p class="quiet">${Jt(t.rollout)}.</p>
      ${t.abstained&&t!==this.#e.value?_`<p class="card silent">${t.abstained}</p>`:y}
      ${this.#_(t,n)}</section>`}#_(e,t){let n=t?Tn(e.results,t.results):null,{parameters:r}=C(),i=e=>r.get(`of`)===e.handle?r.get(`view`)??`why`:null;return _`<ol class="cards">${e.results.map((t,r)=>_`<li>
      <griot-card .result=${t} .rank=${r+1} .view=${i(t)}
        .terms=${e.understanding.terms}
        .answer=${e.rollout.id} .moved=${n?n.get(t.id)??null:void 0}></griot-card>
    </li>`)}</ol>`}#v(e){return e.chains.length===0?y:_`<section class="card"><h2>Cause and effect</h2>
      ${e.chains.map(e=>_`<div class="chain">
        <p class="quiet">Certain to ${H(e.confidence)} ·
          <a href=${zt(e.hops)}>show in graph</a></p>
        ${Rt(e.hops)}</div>`)}
    </section>`}#y(e,t){return e.length===0&&t===0?y:_`<details class="card"><summary>${V(e.length,`standing rule`)} of this scope</summary>
      <ul>${e.map(e=>_`<li><span class="handle">${e.handle}</span>
        <span dir="auto">${e.text}</span> ${e.relevant?_`<span class="chip">relevant</span>`:y}</li>`)}
      </ul>
      ${t>0?_`<p class="quiet">${V(t,`rule`)} left out for their length.</p>`:y}
    </details>`}#b(e){return e.length===0?y:_`<details class="card trace"><summary>${V(e.length,`candidate`)} left out,
      and why</summary>
      <div class="scroll" tabindex="0" role="region" aria-label="Candidates left out"><table>
        <thead><tr><th scope="col">Score</th><th scope="col">Why</th><th scope="col">Memory</th></tr></thead>
        <tbody>${e.map(({memory:e,score:t,reason:n})=>_`<tr>
          <td>${t.toFixed(2)}</td><td>${Kt(n)}</td>
          <td><a class="handle" href=${F(e.handle,`why`)}>${e.handle}</a>
            <span class="quiet">${B(e.occurred_at)}</span>
              <span class="clip two" dir="auto">${e.text}</span></td>
        </tr>`)}</tbody></table></div>
    </details>`}#x(){let{value:e,failure:t,busy:n}=this.#n;if(n)return _`<p class="quiet" role="status">The language model is asked…</p>`;if(t!==null){let{why:e,hint:n}=It(t);return _`<section class="card silent"><p>${e.includes(`no language model is set`)?`No language model is set for this server, so nothing is put into words:
          the memories below are the answer.`:e}</p>${n?_`<p class="quiet">${n}</p>`:y}</section>`}return e?_`<section class="card spoken"><h2>Answer of ${e.model.name}</h2>
      ${e.failure?_`<p class="bad">${e.failure.why}</p>
        <p class="quiet">${e.failure.hint??``}</p>`:y}
      ${e.abstained?_`<p>${e.abstained}</p>`:y}
      <p dir="auto">${e.statements.map(e=>_`<span class=${e.supported?``:`unsupported`}>${e.text}</span>
        ${e.citations.map(e=>_`<button class="cite handle" @click=${()=>this.#S(e)}>${e}</button> `)}
        ${e.invented.map(e=>_`<span class="bad">cites ${e}, which it was not given</span> `)}
        ${e.supported?y:_`<span class="warn">(no citation)</span> `}`)}</p>
      ${e.truncated?_`<p class="warn">The reply was cut; statements may be missing.</p>`:y}
      ${e.withheld.length>0?_`<p class="quiet">Not sent to the model: ${e.withheld.map(e=>`${e.handle} (${e.reason})`).join(`, `)}</p>`:y}
      <p class="quiet">${V(e.model.input_tokens,`token`)} sent,
        ${V(e.model.output_tokens,`token`)} received${e.model.cost===null?``:`, cost ${e.model.cost}`}
        ${e.model.kept?`(a kept reply)`:``}</p>
    </section>`:_``}#S(e){let t=this.querySelector(`[data-handle="${CSS.escape(e)}"]`);t?.scrollIntoView({block:`center`}),t?.focus()}async#C(){let e=J(C().parameters);if(!e)return;let{rejected:t,...n}=e.request;await this.#r.ask(t=>M.client.context({...n,...e.graph===`off`?{no_graph:!0}:{}},{signal:t}));let r=this.#r.value?.text;if(r===void 0)return;let i=await navigator.clipboard?.writeText(r).then(()=>!0,()=>!1)??!1;this.copied={text:r,inClipboard:i},await this.updateComplete,this.querySelector(`dialog.context`)?.showModal()}#w(){return this.copied?_`<dialog class="context" aria-label="Context" @close=${()=>this.copied=null}>
      <p role="status">${this.copied.inClipboard?`Copied. This is in the clipboard:`:`Copy this text:`}</p>
      <textarea readonly rows="16" aria-label="Context for a language model"
        .value=${this.copied.text}></textarea>
      <form method="dialog"><button class="primary">Close</button></form>
    </dialog>`:y}};customElements.define(`griot-ask`,En);var Dn=[`queued`,`running`],On=1e3,kn=1e4,An=2e4;function Y(e){return Dn.includes(e.state)}function jn(e){return Math.min(e.discovered,e.processed+e.failed+e.skipped)}function Mn(e,t){let n=e[0],r=e.at(-1);if(!n||!r||r.at===n.at||r.done===n.done)return{rate:null,left:null};let i=(r.done-n.done)*1e3/(r.at-n.at);return{rate:i,left:Math.max(0,t-r.done)/i}}var X=new class extends EventTarget{constructor(...e){super(...e),this.list=[],this.failure=null,this.#e=new Map,this.#t=0}#e;#t;#n;pace(e){return Mn(this.#e.get(e.id)??[],e.counts.discovered)}of(e){let t=this.list.find(t=>t.target===e);return t&&t.state!==`done`?t:null}follow(){this.#t+=1,this.#t===1&&this.load()}unfollow(){--this.#t,this.#t===0&&clearTimeout(this.#n)}async load(){clearTimeout(this.#n);try{this.list=await M.client.jobs(),this.failure=null}catch(e){this.failure===null&&Mt(e),this.failure=e}for(let e of this.list)this.#r(e);this.dispatchEvent(new Event(`told`)),clearTimeout(this.#n),this.#t!==0&&(this.#n=setTimeout(()=>void this.load(),this.list.some(Y)?On:kn))}#r(e){if(e.state!==`running`){this.#e.delete(e.id);return}let t=performance.now(),n=(this.#e.get(e.id)??[]).filter(e=>t-e.at<An);this.#e.set(e.id,[...n,{at:t,done:jn(e.counts)}])}};function Nn(e){D(e,X,`told`,()=>e.requestUpdate()),D(e,M,`connected`,()=>void X.load()),e.addController({hostConnected:()=>X.follow(),hostDisconnected:()=>X.unfollow()})}var Pn={queued:{words:`waiting`,tone:`quiet`,sign:`…`},running:{words:`running`,tone:`good`,sign:`▶`},paused:{words:`paused`,tone:`warn`,sign:`‖`},done:{words:`done`,tone:`good`,sign:`✓`},failed:{words:`failed`,tone:`bad`,sign:`✕`},cancelled:{words:`cancelled`,tone:`quiet`,sign:`–`}};function Fn(e){return q(Pn[e]??{words:e,tone:`quiet`,sign:`•`})}function In(e){return Y(e)?[`pause`,`cancel`]:e.state===`paused`?[`resume`,`cancel`]:e.state===`failed`||e.state===`done`&&e.counts.failed>0?[`retry`]:[]}var Ln={pause:`Pause`,resume:`Resume`,cancel:`Cancel`,retry:`Retry`},Rn=class extends E{static{this.properties={most:{},all:{state:!0}}}#e=new L(this);constructor(){super(),this.most=5,this.all=!1,Nn(this),K(this)}render(){let e=X.list,t=this.all?e:e.filter((e,t)=>t<this.most||Y(e));return _`${R(X.failure)}${R(this.#e.failure)}
      ${e.length===0&&X.failure===null?_`<p class="quiet">No jobs yet.</p>`:y}
      <ul class="jobs">${t.map(e=>this.#t(e))}</ul>
      ${t.length<e.length?_`<button @click=${()=>this.all=!0}>Show all ${e.length}</button>`:y}`}#t(e){let{counts:t}=e,{rate:n,left:r}=X.pace(e),i=t.discovered>0,a=n===null?``:` · ${n.toFixed(+(n<10))} a second`,o=r===null||!Y(e)?``:` · ${Lt(r)} left of what is known`,s=[V(t.memories,`memory`,`memories`),...t.unchanged>0?[`${t.unchanged} unchanged`]:[],...t.skipped>0?[`${t.skipped} skipped`]:[],...t.duplicates>0?[`${t.duplicates} duplicates`]:[],...t.gone>0?[`${t.gone} gone`]:[],...t.dropped>0?[`${t.dropped} beyond the limits`]:[]].join(`, `),c=At(e.target);return _`<li class="job" data-job=${e.id}>
      <div class="row"><span class="handle">${e.id}</span> ${e.kind} ${Fn(e.state)}
        <span class="grow clip" title=${e.target} dir="auto">${c?_`<a href=${c} target="_blank" rel="noopener noreferrer">${I(e.target,80)}</a>`:I(e.target,80)}</span>
        ${G.may(`write`)?In(e).map(t=>_`<button ?disabled=${this.#e.busy}
          @click=${()=>this.#n(e,t)}>${Ln[t]}</button>`):y}</div>
      ${i&&Y(e)?_`<progress max=${t.discovered} .value=${jn(t)}
        aria-label=${`Progress of ${e.id}`}></progress>`:y}
      <p class="quiet">${i?`${jn(t)} of ${t.discovered}${a}${o} · `:``}${s} ·
        ${B(e.updated_at)}${e.every_hours?` · again every ${e.every_hours} h`:``}</p>
      ${e.errors.length>0?_`<details><summary class="bad">${V(e.errors.length,`error`)}</summary>
        <ul>${e.errors.map(e=>_`<li><span dir="auto">${e.url}</span>:
          ${e.error}</li>`)}</ul></details>`:y}
    </li>`}async#n({id:e},t){let{client:n}=M,r={pause:n.pauseJob,resume:n.resumeJob,cancel:n.cancelJob,retry:n.retryJob};await this.#e.send(i=>r[t].call(n,{name:e},{signal:i})),await X.load()}};customElements.define(`griot-jobs`,Rn);function zn(e){let t=t=>String(e.get(t)??``).trim(),n=e=>t(e).split(/[\n,]/).map(e=>e.trim()).filter(e=>e!==``),r={url:t(`url`)};t(`mode`)!==``&&(r.mode=t(`mode`));for(let e of[`max_pages`,`depth`,`every_hours`])t(e)!==``&&(r[e]=Number(t(e)));for(let e of[`allow`,`block`,`tags`])n(e).length>0&&(r[e]=n(e));return t(`project`)!==``&&(r.project=t(`project`)),e.has(`prune`)&&(r.prune=!0),r}var Bn=class extends E{#e=new L(this);render(){let e=this.#e.value;return _`<form class="crawl" @submit=${e=>{e.preventDefault(),this.#t(new FormData(e.target))}}>
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
      ${R(this.#e.failure)}
      ${e?_`<p class="good" role="status">Started as job <span class="handle">${e.id}</span>.</p>`:y}
    </form>`}async#t(e){await this.#e.send(t=>M.client.crawl(zn(e),{signal:t})),await X.load()}};customElements.define(`griot-crawl`,Bn);var Z=100;function Vn(e,t,n){let r=e.findIndex(e=>e.handle===t),i=r<n?0:r-Math.floor(Z/4);return{from:i,list:e.slice(i,i+n)}}function Hn(e){return[[e.memories,`memory`,`memories`],[e.vectors,`vector`,`vectors`],[e.entities,`entity that only it mentions`,`entities that only it mentions`],[e.sources,`source`,`sources`],[e.edges,`edge`,`edges`],[e.facts,`fact`,`facts`],[e.evidence,`piece of evidence of what stays`,`pieces of evidence of what stays`],[e.spellings,`spelling of a name`,`spellings of names`],[e.merges,`entry of the merges`,`entries of the merges`],[e.job_rows,`row of a job`,`rows of jobs`],[e.replies,`kept reply of a language model`,`kept replies of a language model`],[e.copies,`copy of the database`,`copies of the database`]].filter(([e])=>e>0).map(([e,t,n])=>V(e,t,n))}function Un({first:e,last:t}){return e===t?`line ${e}`:`lines ${e}–${t}`}var Wn=class extends E{static{this.properties={name:{},memory:{},most:{state:!0},asking:{state:!0},sure:{state:!0}}}#e=new L(this);#t=new L(this);#n=new L(this);#r=new L(this);#i=new L(this);#a=new L(this);#o=``;#s=``;constructor(){super(),this.name=``,this.memory=null,this.most=Z,this.asking=null,this.sure=!1,Ft(this,()=>this.#c()),K(this),Nn(this)}willUpdate(){this.name!==this.#o&&(this.#o=this.name,this.most=Z,this.#c())}#c(){let{name:e}=this;this.#e.ask(t=>M.client.source({name:e,...N()},{signal:t})),this.#t.ask(t=>M.client.sourceGraph({name:e,limit:40,...N()},{signal:t}))}updated(){if(!this.memory||this.memory===this.#s)return;let e=this.querySelector(`[data-memory="${CSS.escape(this.memory)}"]`);e&&(this.#s=this.memory,e.scrollIntoView({block:`center`}),e.focus({preventScroll:!0}))}render(){let e=this.#e.value;return _`${R(this.#e.failure)}
      ${e?_`${this.#l(e.source)}${this.#u()}${this.#d(e.memories)}`:this.#e.busy?_`<p class="quiet">Looking…</p>`:y}
      ${e?this.#f(e.source):y}`}#l(e){let{source:t}=e,n=At(t.origin),r=X.of(t.origin),i=e=>G.may(e);return _`<section class="card">
      <h2 dir="auto">${t.title??t.origin}</h2>
      <p class="quiet" dir="auto">${n?_`<a href=${n} target="_blank" rel="noopener noreferrer">${t.origin}</a>`:t.origin}</p>
      <p>${t.kind} · ${V(e.memories,`memory`,`memories`)} · ${V(e.entities,`entity`,`entities`)} ·
        ${V(e.edges,`edge`)} · first read ${B(t.created_at)}, changed
          ${B(t.updated_at)}
        ${t.language?`· ${t.language}`:``} ${r?Fn(r.state):y}</p>
      ${Object.keys(t.metadata).length>0?_`<dl class="pairs">${Object.entries(t.metadata).map(([e,t])=>_`<dt dir="auto">${e}</dt><dd dir="auto">${t}</dd>`)}</dl>`:y}
      ${i(`write`)?_`<form class="row tags" @submit=${e=>{e.preventDefault();let t=String(new FormData(e.target).get(`tags`));this.#h(t.split(`,`).map(e=>e.trim()).filter(e=>e!==``))}}><label class="grow">Tags, with commas between <input name="tags"
        .value=${t.tags.join(`, `)}></label>
        <button ?disabled=${this.#n.busy}>Save tags</button>
        <span class="good" role="status">${this.#n.value?`Saved`:``}</span></form>`:_`<p>${t.tags.map(e=>_`<span class="chip">${e}</span> `)}</p>`}
      ${R(this.#n.failure)}
      <div class="row actions">
        <a href=${w(`explore`,{source:t.id})}>Show its graph</a>
        <a href=${w(`ask`,{source:t.id})}>Ask it</a>
        <span class="grow"></span>
        ${i(`write`)?_`<button ?disabled=${this.#r.busy} @click=${()=>this.#g()}>Read it again</button>
          <button @click=${()=>this.#p(`forget`)}>Forget…</button>`:y}
        ${i(`admin`)?_`<button class="danger" @click=${()=>this.#p(`erase`)}>Erase…</button>`:y}
      </div>
      ${R(this.#r.failure)}
      ${this.#r.value?_`<p role="status" class="good">Job
        <span class="handle">${this.#r.value.id}</span>
        reads it again; <a href=${w(`sources`)}>follow the jobs</a>.</p>`:y}
    </section>`}#u(){let e=this.#t.value;return!e||e.entity_count===0?R(this.#t.failure):_`<details class="card" open><summary>${V(e.entity_count,`entity`,`entities`)},
        ${V(e.relation_count,`relation`)}</summary>
      <p class="things">${e.entities.map(({entity:e,mentions:t})=>_`<a class="chip" dir="auto"
        href=${F(e.id,`timeline`)}>${e.name} <span class="quiet">${t}</span></a> `)}
        ${e.entities.length<e.entity_count?_`<span class="quiet">and more</span>`:y}</p>
      ${e.relations.length>0?_`<ul class="relations">${e.relations.slice(0,20).map(e=>_`<li dir="auto">
        ${e.source.name} <em>${e.label||W(e.kind)}</em> ${e.target.name}</li>`)}</ul>`:y}
    </details>`}#d(e){let{from:t,list:n}=Vn(e,this.memory,this.most),r=e.length-t-n.length;return _`<section><h2>${V(e.length,`memory`,`memories`)}</h2>
      ${t>0?_`<button @click=${()=>T({memory:``})}>Show from the beginning</button>`:y}
      <ol class="memories" start=${t+1}>${n.map(e=>_`<li tabindex="-1" data-memory=${e.handle}
        class=${e.handle===this.memory?`here`:``}>
        <p class="quiet"><a class="handle" href=${F(e.handle,`why`)}>${e.handle}</a>
          ${e.speaker??``} <span dir="auto">${e.heading.join(` › `)}</span>
          ${e.lines?Un(e.lines):y}
          ${B(e.occurred_at)}
          ${e.superseded_by?_`<span class="chip warn"><span aria-hidden="true">⟲</span>
            replaced</span>`:y}
          ${e.flags.map(e=>_`<span class="chip bad"><span aria-hidden="true">!</span>
            ${e}</span>`)}</p>
        <p class="said" dir="auto">${e.text}</p></li>`)}</ol>
      ${r>0?_`<button @click=${()=>this.most+=Z}>Show ${Math.min(r,Z)} more</button>`:y}
    </section>`}#f({source:e,memories:t,entities:n,edges:r}){let i=this.#i.value?.counts,a=this.asking===`erase`;return _`<dialog aria-labelledby="removal" @close=${()=>this.asking=null}>
      <h2 id="removal">${a?`Erase`:`Forget`} <span dir="auto">${e.title??e.origin}</span>?</h2>
      ${a?_`
        ${this.#i.busy?_`<p>Counting…</p>`:y}${R(this.#i.failure)}
        ${i?_`<p>This goes for good, from every file of the workspace:</p>
          <ul class="would">${Hn(i).map(e=>_`<li>${e}</li>`)}</ul>
          ${i.same_texts>0?_`<p class="warn">${V(i.same_texts,`memory`,`memories`)} of other sources with the
            same text stay.</p>`:y}
          <label class="inline"><input type="checkbox" .checked=${this.sure}
            @change=${e=>this.sure=e.target.checked}>
            Nothing brings it back</label>`:y}`:_`<p>Hidden from every answer, until it is restored:</p>
          <ul class="would"><li>${V(t,`memory`,`memories`)}</li>
            <li>what only they say of ${V(n,`entity`,`entities`)}, over ${V(r,`edge`)}</li></ul>`}
      ${R(this.#a.failure)}
      <div class="row"><button @click=${()=>this.querySelector(`dialog`)?.close()}>Keep it</button>
        <button class="danger" ?disabled=${this.#a.busy||a&&(!i||!this.sure)}
          @click=${()=>this.#m(e.id,e.title??e.origin)}>${a?`Erase for good`:`Forget`}</button></div>
    </dialog>`}#p(e){let{name:t}=this;this.asking=e,this.sure=!1,this.#a.forget(),this.#i.forget(),e===`erase`&&this.#i.ask(e=>M.client.eraseSource({name:t,dry_run:!0,...N()},{signal:e})),this.querySelector(`dialog`)?.showModal()}async#m(e,t){let n=this.asking===`erase`;await this.#a.send(t=>n?M.client.eraseSource({name:e,...N()},{signal:t}):M.client.forget({name:e,...N()},{signal:t})),this.#a.failure===null&&(this.querySelector(`dialog`)?.close(),this.dispatchEvent(new CustomEvent(`gone`,{bubbles:!0,detail:{id:e,name:t,isForGood:n}})),G.load(),T({source:``,memory:``},!0))}async#h(e){await this.#n.send(t=>M.client.tagSource({name:this.name,tags:e,...N()},{signal:t})),this.#n.failure===null&&this.#c()}async#g(){await this.#r.send(e=>M.client.refreshSource({name:this.name,...N()},{signal:e})),await X.load()}};customElements.define(`griot-source`,Wn);var Gn=200,Kn=[{name:`name`,title:`Name`,by:e=>qn(e).toLowerCase()},{name:`type`,title:`Type`,by:({source:e})=>e.kind},{name:`tags`,title:`Tags`,by:({source:e})=>e.tags.join(` `)},{name:`memories`,title:`Memories`,by:e=>e.memories,isNumber:!0},{name:`entities`,title:`Entities`,by:e=>e.entities,isNumber:!0},{name:`updated`,title:`Updated`,by:({source:e})=>e.updated_at},{name:`state`,title:`State`,by:({source:e})=>X.of(e.origin)?.state??`stored`},{name:`trust`,title:`Trust`,by:({source:e})=>Jn(e.kind)}];function qn({source:e}){return e.title?.trim()||e.origin}function Jn(e){return e===`page`?`web`:`own`}function Yn(e,t){let n=(t.get(`filter`)??``).toLowerCase().split(/\s+/).filter(e=>e!==``),[r,i]=[t.get(`type`),t.get(`tag`)],a=e.filter(e=>{let{source:t}=e,a=`${t.id} ${t.origin} ${t.title??``} ${t.tags.join(` `)}`.toLowerCase();return n.every(e=>a.includes(e))&&(!r||t.kind===r)&&(!i||t.tags.includes(i))}),o=t.get(`sort`)??`-updated`,s=Kn.find(e=>e.name===o.replace(/^-/,``))??Kn[0],c=o.startsWith(`-`)?-1:1;return a.sort((e,t)=>{let[n,r]=[s.by(e),s.by(t)];return n<r?-c:n>r?c:0})}var Xn=class extends E{static{this.properties={most:{state:!0},gone:{state:!0}}}#e=new L(this);#t=new L(this);#n=``;constructor(){super(),this.most=Gn,this.gone=null,D(this,window,`hashchange`,()=>this.#r()),Ft(this,()=>this.#i()),D(this,this,`stored`,()=>this.#i()),D(this,this,`gone`,e=>{this.gone=e.detail,this.#i()}),K(this),Nn(this)}connectedCallback(){super.connectedCallback(),this.#i()}#r(){C().page===`sources`&&(this.requestUpdate(),JSON.stringify(N())!==this.#n&&this.#i())}#i(){let e=N();this.#n=JSON.stringify(e),this.#e.ask(t=>M.client.sources(e,{signal:t}))}render(){let{parameters:e}=C(),t=e.get(`source`);return t?_`<h1><a href=${w(`sources`,{...N()})}>Sources</a> ›
        <span class="handle">${t}</span></h1>
        <griot-source .name=${t} .memory=${e.get(`memory`)}></griot-source>`:_`<h1>Sources</h1>
      ${this.#a()}
      ${R(this.#e.failure)}
      ${G.isEmpty?_`<griot-start></griot-start>`:y}
      ${G.may(`write`)?_`<div class="ways">
        ${G.isEmpty?y:_`<details class="card" ?open=${e.has(`add`)}>
          <summary>Add files</summary><griot-upload></griot-upload></details>`}
        <details class="card" ?open=${e.has(`add`)}><summary>Read a page or a site</summary>
          <griot-crawl></griot-crawl></details></div>`:y}
      ${X.list.length>0?_`<details class="card" ?open=${X.list.some(Y)}>
        <summary>Jobs</summary><griot-jobs .most=${5}></griot-jobs></details>`:y}
      ${kt()}
      ${this.#e.value&&this.#e.value.length>0?this.#o(this.#e.value,e):this.#e.busy?_`<p class="quiet">Looking…</p>`:y}`}#a(){if(!this.gone)return y;let{name:e,id:t,isForGood:n}=this.gone;return _`<div class="card row" role="status"><span class="grow clip">${e} ${n?`is erased`:`is forgotten`}.</span>
      ${n?y:_`<button ?disabled=${this.#t.busy} @click=${async()=>{await this.#t.send(e=>M.client.restore({name:t,...N()},{signal:e})),this.#t.failure===null&&(this.gone=null),this.#i()}}>Restore it</button>`}${R(this.#t.failure)}</div>`}#o(e,t){let n=Yn([...e],t),r=[...new Set(e.map(({source:e})=>e.kind))].sort(),i=[...new Set(e.flatMap(({source:e})=>e.tags))].sort(),a=(e,n,r)=>_`<label>${n}
      <select @change=${t=>T({[e]:t.target.value})}>
        <option value="">all</option>
        ${r.map(n=>_`<option value=${n} ?selected=${t.get(e)===n}>${n}</option>`)}
      </select></label>`;return _`<div class="row fields">
        <label class="grow">Filter <input type="search" .value=${t.get(`filter`)??``}
          @input=${e=>T({filter:e.target.value})}></label>
        ${a(`type`,`Type`,r)}
        ${i.length>0?a(`tag`,`Tag`,i):y}
      </div>
      <p class="quiet" role="status">${n.length===e.length?V(e.length,`source`):`${n.length} of ${V(e.length,`source`)}`}</p>
      <div class="scroll" tabindex="0" role="region" aria-label="Sources"><table class="sources">
        <thead><tr>${Kn.map(e=>this.#s(e,t))}</tr></thead>
        <tbody>${n.slice(0,this.most).map(e=>this.#c(e))}</tbody>
      </table></div>
      ${n.length>this.most?_`<button @click=${()=>this.most+=Gn}>Show ${Math.min(Gn,n.length-this.most)} more</button>`:y}`}#s({name:e,title:t,isNumber:n},r){let i=r.get(`sort`)??`-updated`,a=i===e?`ascending`:i===`-${e}`?`descending`:`none`,o=a===`none`?n||e===`updated`?`-${e}`:e:a===`ascending`?`-${e}`:e;return _`<th scope="col" aria-sort=${a}><button class="plain" @click=${()=>T({sort:o})}>${t}
      <span aria-hidden="true">${a===`ascending`?`▲`:a===`descending`?`▼`:``}</span></button></th>`}#c(e){let{source:t,memories:n,entities:r}=e,i=X.of(t.origin),a=qn(e);return _`<tr>
      <td class="name"><a href=${P(t.id)} title=${t.origin}
        dir="auto"><span class="clip two">${I(a,120)}</span></a>
        ${a===t.origin?y:_`<span class="quiet clip" dir="auto">${I(t.origin,70)}</span>`}</td>
      <td data-label="Type">${t.kind}</td>
      <td data-label="Tags">${t.tags.map(e=>_`<button class="chip" @click=${()=>T({tag:e})}>${e}</button> `)}</td>
      <td data-label="Memories">${n.toLocaleString()}</td>
      <td data-label="Entities">${r.toLocaleString()}</td>
      <td data-label="Updated">${B(t.updated_at)}</td>
      <td data-label="State">${i?Fn(i.state):`stored`}</td>
      <td data-label="Trust">${Jn(t.kind)===`web`?_`<span class="chip warn"><span aria-hidden="true">⚐</span> web</span>`:`own`}</td>
    </tr>`}};customElements.define(`griot-sources`,Xn);var Q=class extends Error{},Zn=5e3,Qn=class{#e;#t;#n;#r;#i;constructor(e,t){this.items=[],this.decided=[],this.notice=``,this.#e=null,this.#t=Promise.resolve(),this.#n=new Map,this.#r=e,this.#i=t}get current(){return this.items.find(e=>e.key===this.#e)??this.items[0]??null}get position(){let{current:e}=this;return e?this.items.indexOf(e):-1}load(e){let t=e=>this.decided.some(t=>t.item.key===e.key&&![`undone`,`refused`].includes(t.state)),n=new Map(e.filter(e=>!t(e)).map(e=>[e.key,e])),r=this.items.filter(e=>n.has(e.key)).map(e=>n.get(e.key)),i=new Set(r.map(e=>e.key)),a=this.current!==null&&!n.has(this.current.key),o=a?this.items.slice(this.position+1).find(e=>n.has(e.key)):this.current;this.items=[...r,...[...n.values()].filter(e=>!i.has(e.key))],a&&(this.notice=`What was shown here was decided elsewhere meanwhile.`,this.#e=o?.key??null),this.#r()}show(e){this.#e=e,this.#r()}move(e){this.items.length!==0&&(this.notice=``,this.show(this.items[(this.position+e+this.items.length)%this.items.length].key))}skip(){let{current:e,position:t}=this;if(!e)return;this.notice=``;let n=this.items[t+1]??this.items[0];this.items=[...this.items.filter(t=>t!==e),e],this.show(n.key)}decide(e){let{current:t,position:n}=this;if(!t)return;this.notice=``;let r={item:t,words:e.words,state:`held`,said:``,undo:null};this.decided=[r,...this.decided],this.items=this.items.filter(e=>e!==t),this.#e=(this.items[n]??this.items[0])?.key??null,e.isFinal?this.#n.set(r,{choice:e,timer:setTimeout(()=>this.#a(r),Zn)}):this.#o(r,e),this.#r()}get undoable(){return this.decided.find(e=>this.#n.has(e)||e.state===`done`&&e.undo)??null}undo(e=this.undoable){if(!e)return;let t=this.#n.get(e);if(t){clearTimeout(t.timer),this.#n.delete(e),e.state=`undone`,this.#s(e.item);return}let{undo:n}=e;e.state===`done`&&n&&(e.state=`undoing`,this.#c(async()=>{try{let{said:t,isOpen:r}=await n();Object.assign(e,{said:t,state:`undone`}),r&&this.#s(e.item)}catch(t){e.said=this.#i(t),e.state=`done`,e.undo=null}}))}get isUnsent(){return this.decided.some(e=>[`held`,`sending`,`undoing`].includes(e.state))}async flush(){for(let e of[...this.#n.keys()].reverse())this.#a(e);await this.#t}#a(e){let t=this.#n.get(e);t&&(clearTimeout(t.timer),this.#n.delete(e),this.#o(e,t.choice))}#o(e,t){e.state=`sending`,this.#c(async()=>{try{let{said:n,undo:r}=await t.send();Object.assign(e,{state:`done`,said:n,undo:r})}catch(t){e.state=`refused`,e.said=this.#i(t),t instanceof Q||(this.items=[...this.items,e.item])}})}#s(e){this.items.some(t=>t.key===e.key)||this.items.splice(Math.max(0,this.position),0,e),this.show(e.key)}#c(e){this.#t=this.#t.then(e).then(this.#r),this.#r()}},$n={merge:{title:`Two names of one thing?`,role:`admin`},replacement:{title:`Outdated?`,role:`write`},cause:{title:`Cause and effect?`,role:`write`},conflict:{title:`Contradictions`,role:`write`},warning:{title:`Warnings`,role:`write`}};function er(e){return{kind:`merge`,key:e.id,suggestion:e}}function tr(e){return{kind:e.kind===`cause`?`cause`:`replacement`,key:e.id,offer:e}}function nr(e){return{kind:`conflict`,key:`${e.first.id}-${e.second.id}`,conflict:e}}function rr(e){return{kind:`warning`,key:e.id,warning:e}}function ir(e){let t=e=>Date.parse(e.occurred_at??``);return t(e.newer)<t(e.other)?{cause:e.newer,effect:e.other}:{cause:e.other,effect:e.newer}}function ar(e){return`${e.subject.name} ${W(e.predicate)} ${e.object}`}function or(e){return e.evidence.find(e=>e.memory!==null)?.memory??null}function sr(e,t,n,r=[],i=()=>``){switch(e.kind){case`merge`:return cr(e.suggestion,t,n);case`replacement`:return ur(e.offer,t,n);case`cause`:return dr(e.offer,t,n);case`conflict`:return hr(e.conflict,t,n);case`warning`:return gr(e.warning,t,n,r,i)}}function cr({id:e,kept:t,merged:n},r,i){return[{key:`y`,words:`Merge`,isFinal:!1,send:()=>lr(async()=>{let{merge:a}=await r.applyMerge({name:e,...i});return{said:`${n.name} is now ${t.name}`,undo:async()=>{let{inseparable:e}=await r.unmerge({name:a.id,...i});return{said:[`They are two again.`,...e].join(` `),isOpen:!1}}}})},{key:`n`,words:`Two things`,isFinal:!0,send:()=>lr(async()=>(await r.dismissMerge({name:e,...i}),{said:`${n.name} and ${t.name} stay two`,undo:null}))}]}async function lr(e){try{return await e()}catch(e){let t=e instanceof k&&/^it is (applied|dismissed)/.exec(e.why)?.[1];throw t?new Q(`Somebody decided before: it was ${t}.`):e}}function ur(e,t,n){let{newer:r,other:i}=e;return[{key:`y`,words:`Replaced`,isFinal:!1,send:()=>fr(e,r,i,`supersedes`,null,t,n,`${r.name} replaces ${i.name}`)},{key:`n`,words:`Keep both`,isFinal:!1,send:()=>pr([e.id],e,t,n,`both hold`)},{key:`x`,words:`Not the same`,isFinal:!1,send:async()=>{let a=(await t.offers({memory:U(r),limit:500,...n})).filter(e=>e.other.id===i.id&&e.newer.id===r.id).map(e=>e.id);return pr([...new Set([e.id,...a])],e,t,n,`they are about different things`)}}]}function dr(e,t,n){let{cause:r,effect:i}=ir(e),a=(r,i)=>fr(e,r,i,`causal`,`causes`,t,n,`${r.name} caused ${i.name}`);return[{key:`y`,words:`Yes`,isFinal:!1,send:()=>a(r,i)},{key:`n`,words:`No`,isFinal:!1,send:()=>pr([e.id],e,t,n,`no cause`)},{key:`t`,words:`Turned round`,isFinal:!1,send:()=>a(i,r)}]}async function fr(e,t,n,r,i,a,o,s){await mr(e,a,o);let c={source:U(t),target:U(n),kind:r,...i?{label:i}:{}},{created:l,warnings:u}=await a.link({...c,...o});return{said:[l?s:`${s}, which was known`,...u.map(e=>`warning: ${e.message}`)].join(`; `),undo:l?async()=>(await a.unlink({...c,...o}),await a.restore({name:e.id,...o}),{said:`The link is removed, the offer is open again.`,isOpen:!0}):null}}async function pr(e,t,n,r,i){await mr(t,n,r);for(let t of e)await n.forget({name:t,...r});return{said:`${t.newer.name} and ${t.other.name}: ${i}`,undo:async()=>{for(let t of e)await n.restore({name:t,...r});return{said:`It is open again.`,isOpen:!0}}}}async function mr(e,t,n){let r=(await t.offers({memory:U(e.newer),all:!0,limit:500,...n})).find(t=>t.id===e.id);if(r&&r.state!==`open`){let e=r.settled_at?` on ${z(r.settled_at)}`:``;throw new Q(`Somebody decided before: it was ${r.state}${e}.`)}}function hr({first:e,second:t},n,r){let i=(e,t,i)=>{let a=or(e);return a?[{key:t,words:`The ${i} is wrong`,isFinal:!1,send:async()=>{try{await n.forget({name:a,...r})}catch(e){throw e instanceof O&&e.kind===`not_found`?new Q(`Somebody forgot it before.`):e}return{said:`Forgot what states “${ar(e)}”`,undo:async()=>(await n.restore({name:a,...r}),{said:`It is there again.`,isOpen:!0})}}}]:[]};return[...i(e,`1`,`first`),...i(t,`2`,`second`)]}function gr(e,t,n,r,i){return[{key:`y`,words:`Acknowledge`,isFinal:!0,send:async()=>{let r=(await t.warnings({all:!0,...n})).warnings.find(t=>t.id===e.id);if(!r)throw new Q(`It no longer applies.`);if(r.acknowledged)throw new Q(`${r.acknowledged.by} acknowledged it before: ${r.acknowledged.note??`no note`}.`);let a=i();return await t.acknowledgeWarning({name:e.id,...a?{note:a}:{},...n}),{said:a?`Acknowledged: ${a}`:`Acknowledged`,undo:null}}},...r.slice(0,9).map((e,r)=>({key:String(r+1),words:`Remove edge ${r+1}`,isFinal:!0,send:async()=>{let{removed:r}=await t.unlink({source:U(e.source),target:U(e.target),kind:e.kind,...e.label?{label:e.label}:{},...n});if(r.length===0)throw new Q(`Somebody removed it before.`);let i=e.label||e.kind;return{said:`Removed: ${e.source.name} ${i} ${e.target.name}`,undo:null}}}))]}var $=new Map,_r=60;M.addEventListener(`changed`,()=>$.clear()),M.addEventListener(`connected`,()=>$.clear());function vr(e){let t=$.get(e.key);if(t)return t;let n=yr(e);return n.catch(()=>$.delete(e.key)),$.size>=_r&&$.clear(),$.set(e.key,n),n}async function yr(e){let{client:t}=M,n=N(),r=[],i={entities:[],memories:new Map,edges:[]};if(e.kind===`merge`){let{kept:r,merged:a}=e.suggestion,o=e=>t.entity({name:e,limit:4,...n}).catch(()=>null);i.entities=await Promise.all([o(r.id),o(a.id)])}else if(e.kind===`conflict`){let{first:t,second:n}=e.conflict;r.push(...[or(t),or(n)].filter(e=>e!==null))}else e.kind===`warning`?i.edges=(await Promise.all(e.warning.edges.map(e=>t.edge({name:e,...n}).catch(()=>null)))).filter(e=>e!==null):r.push(e.offer.newer.id,e.offer.other.id);let a=await Promise.all(r.map(e=>t.show({name:e,...n}).catch(()=>null)));for(let e of a)e&&i.memories.set(e.id,e);return i}function br(e){let t=e.normalize(`NFKD`).replace(/\p{M}/gu,``).toLowerCase().match(/[\p{L}\p{N}]{4,}/gu);return[...new Set(t??[])]}var xr=class extends E{static{this.properties={item:{}}}#e=new L(this);#t=``;willUpdate(){if(this.item.key===this.#t)return;let{key:e}=this.item;this.#t=e;let{item:t}=this;this.#e.ask(async()=>({key:e,evidence:await vr(t)}))}render(){let{item:e}=this,t=this.#e.value?.key===e.key?this.#e.value.evidence:null;return _`${R(this.#e.failure)}<div class="sides">${this.#n(e,t)}</div>`}#n(e,t){switch(e.kind){case`merge`:{let{kept:n,merged:r}=e.suggestion;return _`${Cr(`Kept`,n.name,n.type,t?.entities[0]??null)}
          ${Cr(`Becomes the same`,r.name,r.type,t?.entities[1]??null)}`}case`replacement`:{let{newer:n,other:r}=e.offer;return _`${wr(`Newer`,n,r,t)}${wr(`Would be outdated`,r,n,t)}`}case`cause`:{let{cause:n,effect:r}=ir(e.offer);return _`${wr(`Cause (earlier)`,n,r,t)}
          <span class="leads" aria-hidden="true">→</span>${wr(`Effect (later)`,r,n,t)}`}case`conflict`:return _`${[[`First`,e.conflict.first],[`Second`,e.conflict.second]].map(([e,n])=>{let r=or(n),i=r?t?.memories.get(r)??null:null;return _`<section><h3>${e}</h3>
            <p dir="auto"><strong>${ar(n)}</strong></p>
            <p class="quiet">${n.valid_from?_`from ${B(n.valid_from)}`:`begin not known`}
              ${n.valid_to?_`until ${B(n.valid_to)}`:`until now`} · stored
                ${B(n.recorded_at)}</p>
            ${i?_`${Sr(i.text,br(ar(n)),600)}
                <p class="quiet"><a class="handle" href=${P(i.source,i.handle)}>${i.handle}</a></p>`:r?y:_`<p class="warn">It was added without a memory that states it,
                so there is nothing
                here to forget.</p>`}</section>`})}`;case`warning`:return _`<section class="whole"><p>${e.warning.message}</p>
          <p class="quiet">${W(e.warning.code)} · first seen ${B(e.warning.first_seen)}</p>
          <ol class="edges">${t?.edges.map(e=>_`<li>${Rt([{from:e.source,to:e.target,kind:e.kind,label:e.label,reads:e.label||W(e.kind),family:e.family,forward:!0,weight:e.weight,confidence:e.confidence,provenance:e.provenance,hours:null,expires_at:e.expires_at,edge:e.id,evidence:e.evidence}])}</li>`)}</ol></section>`}}};function Sr(e,t,n){return _`<blockquote dir="auto">${fn(rn(e.trim(),t,n).pieces)}</blockquote>`}function Cr(e,t,n,r){return _`<section><h3>${e}</h3>
    <p class="thing" dir="auto"><strong class="clip">${t}</strong> <span class="chip">${n}</span></p>
    ${r?_`
      <p class="quiet">${V(r.mention_count,`mention`)} · ${V(r.relations.length,`relation`)} ·
        ${B(r.entity.first_seen)} to ${B(r.entity.last_seen)}
        · <a href=${F(r.entity.id,`timeline`)}>over time</a>
        · <a href=${w(`explore`,{around:r.entity.id})}>graph</a></p>
      ${r.entity.aliases.length>1?_`<p class="quiet" dir="auto">also ${r.entity.aliases.slice(0,8).join(`, `)}</p>`:y}
      ${r.entity.description.map(e=>_`<p dir="auto">${e}</p>`)}
      <ul class="relations">${r.relations.slice(0,5).map(e=>_`<li>
        <span dir="auto">${e.source.name} ${e.label||W(e.kind)}
          ${e.target.name}</span></li>`)}</ul>
      ${r.mentions.map(e=>_`<p class="quiet">${B(e.occurred_at)}
          <a class="handle" href=${F(e.handle,`why`)}>${e.handle}</a></p>
        ${Sr(e.text,br(t),220)}`)}`:_`<p class="quiet">…</p>`}
  </section>`}function wr(e,t,n,r){let i=r?.memories.get(t.id),a=r?.memories.get(n.id)?.text??n.excerpt??``,o=i?.text??t.excerpt??``;return _`<section><h3>${e}</h3>
    <p class="quiet">${B(t.occurred_at)} <a class="handle" href=${F(U(t),`why`)}>${t.name}</a>
      ${i?.speaker??``} ${i?_`<a href=${P(i.source,i.handle)}>source</a>`:y}
      ${i?.superseded_by?_`<span class="chip warn">replaced already</span>`:y}</p>
    ${Sr(o,br(a),900)}
  </section>`}function Tr(e){switch(e.kind){case`merge`:return`${e.suggestion.reason}; likeness ${e.suggestion.likeness.toFixed(2)}`;case`replacement`:case`cause`:return`probability ${H(e.offer.probability)}`;default:return``}}customElements.define(`griot-evidence`,xr);var Er=2e4,Dr=2,Or=class extends E{static{this.properties={edges:{state:!0}}}#e=new L(this);#t=new L(this);#n=new L(this);#r=new Qn(()=>this.#u(),kr);#i;#a=``;#o=``;constructor(){super(),this.edges=[],K(this),Ft(this,()=>this.#c()),D(this,window,`hashchange`,()=>this.#s()),D(this,window,`keydown`,e=>this.#f(e)),D(this,window,`beforeunload`,e=>{this.#r.isUnsent&&(e.preventDefault(),this.#r.flush())})}connectedCallback(){super.connectedCallback(),this.#a=C().parameters.get(`kind`)??``,this.#o=JSON.stringify(N()),this.#r.show(C().parameters.get(`item`)),this.#c(),this.#i=setInterval(()=>document.visibilityState===`visible`&&this.#c(),Er)}disconnectedCallback(){super.disconnectedCallback(),clearInterval(this.#i),this.#r.flush()}#s(){if(C().page!==`review`)return;let e=C().parameters.get(`kind`)??``,t=C().parameters.get(`item`);e!==this.#a&&(this.#a=e,this.#r.load(this.#l()));let n=JSON.stringify(N());n!==this.#o&&(this.#o=n,this.#c()),t&&t!==this.#r.current?.key&&this.#r.show(t),this.requestUpdate()}#c(){this.#e.ask(async e=>{let{client:t}=M,n=N(),r=[],i=async(t,n)=>t.catch(t=>{if(e.aborted)throw t;return r.push(t),n}),[a,o,s,c]=await Promise.all([i(t.merges(n,{signal:e}),{merges:[],suggestions:[],scan:null}),i(t.offers({limit:500,...n},{signal:e}),[]),i(t.conflicts(n,{signal:e}),[]),i(t.warnings(n,{signal:e}),{warnings:[],acknowledged:0})]);if(r.length===4)throw r[0];return{items:[...a.suggestions.map(er),...o.map(tr),...s.map(nr),...c.warnings.map(rr)],merges:a.merges,failures:r}}).then(()=>this.#e.failure===null&&this.#r.load(this.#l()))}#l(){let e=this.#e.value?.items??[];return this.#a===``?e:e.filter(e=>e.kind===this.#a)}#u(){let{current:e,items:t,position:n}=this.#r;C().page===`review`&&this.#e.value&&T({item:e?.key??``});for(let r of t.slice(n,n+1+Dr)){let t=vr(r).catch(()=>null);r===e&&(this.edges=[],t.then(e=>{e&&this.#r.current===r&&(this.edges=e.edges)}))}this.requestUpdate()}get#d(){let{current:e}=this.#r;if(!e||!G.may($n[e.kind].role))return[];let t=this.querySelector(`input[name=note]`)?.value.trim()??``;return sr(e,M.client,N(),this.edges,()=>t)}#f(e){let t=e.composedPath()[0];if(e.ctrlKey||e.metaKey||e.altKey||e.repeat||t.closest?.(`input, textarea, select, dialog`))return;let n=this.#d.find(t=>t.key===e.key);if(n)this.#r.decide(n);else if(e.key===`u`)this.#r.undo();else if(e.key===`s`)this.#r.skip();else if(e.key===`j`)this.#r.move(1);else if(e.key===`k`)this.#r.move(-1);else return;e.preventDefault()}render(){let e=this.#e.value;return _`
      <h1>Review</h1>
      ${R(this.#e.failure)}
      ${e?.failures.map(e=>R(e))}
      ${this.#p(e?.items??[])}
      ${kt()}
      <div aria-live="polite">${this.#r.notice?_`<p class="warn">${this.#r.notice}</p>`:y}</div>
      ${e?this.#m():this.#e.busy?_`<p class="quiet">Looking…</p>`:y}
      ${this.#h()}
      ${this.#g(e?.merges??[])}
    `}#p(e){let t=e.filter(e=>!this.#r.decided.some(t=>t.item.key===e.key&&![`undone`,`refused`].includes(t.state))),n=(e,t,n)=>_`<button aria-pressed=${this.#a===e}
      @click=${()=>T({kind:e,item:``},!0)}>${t}
        <span class="number">${n}</span></button>`;return _`<div class="row actions" role="group" aria-label="What to review">
      ${n(``,`All`,t.length)}
      ${Object.entries($n).map(([e,{title:r}])=>n(e,r,t.filter(t=>t.kind===e).length))}
    </div>`}#m(){let{current:e,items:t,position:n}=this.#r;if(!e)return _`<section class="card silent"><p>Nothing is left to decide${this.#a===``?``:` of this kind`}.</p>
        ${G.may(`admin`)&&[``,`merge`].includes(this.#a)?_`<p><button
          ?disabled=${this.#n.busy} @click=${()=>this.#v()}>
          Compare all names for merges</button> <span role="status" class="quiet">${this.#n.value??``}</span></p>
          ${R(this.#n.failure)}`:y}</section>`;let r=this.#d;return _`<section class="card item" aria-label=${$n[e.kind].title}>
      <div class="row"><h2 class="grow" aria-live="polite">${$n[e.kind].title}
          <span class="quiet">${e.key}</span></h2>
        <span class="quiet">${n+1} of ${t.length}</span></div>
      <p class="quiet">${Tr(e)}</p>
      <griot-evidence .item=${e}></griot-evidence>
      ${e.kind===`warning`&&r.length>0?_`<label class="note">Note with the
        acknowledgement
        <input name="note" autocomplete="off" @keydown=${e=>{if(e.key!==`Enter`)return;let t=this.#d.find(e=>e.key===`y`);e.target.blur(),t&&this.#r.decide(t)}}></label>`:y}
      <div class="row keys">
        ${r.map(e=>_`<button class=${e.key===`y`?`primary`:``}
          @click=${()=>this.#r.decide(this.#d.find(t=>t.key===e.key))}><kbd>${e.key}</kbd>
          ${e.words}</button>`)}
        ${r.length===0&&e.kind!==`conflict`?_`<span class="quiet">The key of this tab may look at this, and not decide it.</span>`:y}
        <button @click=${()=>this.#r.skip()}><kbd>s</kbd> Skip</button>
        <span class="grow"></span>
        <button @click=${()=>this.#r.move(-1)}><kbd>k</kbd> Back</button>
        <button @click=${()=>this.#r.move(1)}><kbd>j</kbd> Next</button>
        <button ?disabled=${this.#r.undoable===null} @click=${()=>this.#r.undo()}><kbd>u</kbd> Undo</button>
      </div>
    </section>`}#h(){let{decided:e}=this.#r;if(e.length===0)return y;let t=e=>_`<li>
      <span class="handle">${e.item.key}</span> <strong>${e.words}</strong>
      <span class=${e.state===`refused`?`bad`:`quiet`}>${Ar(e)}</span>
      ${this.#r.undoable&&(e.state===`done`&&e.undo||e.state===`held`)?_`<button @click=${()=>this.#r.undo(e)}>Undo</button>`:y}</li>`;return _`<section class="card"><h2>Decided now: ${e.filter(e=>e.state!==`undone`).length}</h2>
      <ol class="decided" role="log" aria-label="Decisions">${e.slice(0,8).map(t)}</ol>
      ${e.length>8?_`<details><summary>${e.length-8} earlier</summary>
        <ol class="decided">${e.slice(8).map(t)}</ol></details>`:y}</section>`}#g(e){if(e.length===0)return y;let t=this.#t.value;return _`<details class="card"><summary>${V(e.length,`merge`)} so far</summary>
      ${R(this.#t.failure)}
      ${t?_`<p role="status" class="good">${t.kept.name} and ${t.merged.name} are two
        again.
        ${t.inseparable.join(` `)}</p>`:y}
      <div class="scroll" tabindex="0" role="region" aria-label="Merges"><table><thead><tr><th
        scope="col">Kept</th><th scope="col">Merged into it</th>
        <th scope="col">When, by whom</th><th scope="col">Why</th><th scope="col">Moved</th><th
          scope="col"><span class="unseen">Part</span></th></tr></thead>
        <tbody>${e.map(e=>_`<tr><td dir="auto">${e.kept.name}</td><td
          dir="auto">${e.merged.name}</td>
          <td>${B(e.at)} ${e.by}</td><td>${e.reason??``}</td>
          <td>${V(e.moved+e.folded,`edge`)}, ${V(e.facts,`fact`)}</td>
          <td>${e.undone_at?_`<span class="quiet">parted ${B(e.undone_at)}</span>`:G.may(`admin`)?_`<button ?disabled=${this.#t.busy} @click=${()=>this.#_(e.id)}>Part</button>`:y}</td></tr>`)}</tbody></table></div></details>`}async#_(e){await this.#t.send(t=>M.client.unmerge({name:e,...N()},{signal:t})),this.#c()}async#v(){await this.#n.send(async e=>{let{scan:t}=await M.client.suggestMerges(N(),{signal:e});return t?`${V(t.names,`name`)} compared, ${V(t.suggested,`suggestion`)}`:``}),this.#c()}};function kr(e){if(e instanceof Q)return e.message;Mt(e);let{why:t,hint:n}=It(e);return[t,n].filter(Boolean).join(` `)}function Ar({state:e,said:t}){switch(e){case`held`:return`is sent in a moment`;case`sending`:return`…`;case`undoing`:return`is taken back…`;case`undone`:return`taken back. ${t}`;default:return t}}customElements.define(`griot-review`,Or);var jr={off:`The graph is not run.`,shadow:`It is run and measured, and changes no answer.`,canary:`It answers those who ask for it and a share of the others, as long as the gate allows.`,on:`It answers everybody who does not decline it.`},Mr={open:{words:`open`,tone:`good`,sign:`✓`},half_open:{words:`half open: it probes`,tone:`warn`,sign:`◐`},blocked:{words:`blocked`,tone:`bad`,sign:`✕`}},Nr={info:{words:`info`,tone:`quiet`,sign:`i`},warning:{words:`warning`,tone:`warn`,sign:`!`},critical:{words:`critical`,tone:`bad`,sign:`‼`}},Pr=30,Fr=864e5;function Ir(e,t){let n=Math.floor(t/Fr),r=Array.from({length:Pr},(e,t)=>({day:new Date((n-Pr+1+t)*Fr).toISOString(),calls:0}));for(let t of e){let e=r[Math.floor(Date.parse(t.day)/Fr)-n+Pr-1];e&&(e.calls+=t.calls)}return r}var Lr=class extends E{static{this.properties={wanted:{state:!0}}}#e=new L(this);#t=new L(this);#n=new L(this);#r=new L(this);constructor(){super(),this.wanted=null,Ft(this,()=>this.#i()),K(this)}connectedCallback(){super.connectedCallback(),this.#i(),G.load(),this.#r.ask(e=>M.client.usage({days:Pr},{signal:e}))}#i(){this.#e.ask(e=>M.client.rollout({},{signal:e}))}render(){let e=this.#e.value;return _`<h1>Rollout and health</h1>
      ${R(this.#e.failure)}
      ${e?_`${this.#a(e)}${this.#o(e)}${this.#s(e)}${Rr(e)}
        ${zr(e)}`:y}
      ${this.#c()}
      ${this.#l()}
      ${this.#u()}
      <section class="card"><h2>Jobs</h2><griot-jobs .most=${10}></griot-jobs></section>`}#a({alarms:e}){return e.length===0?y:_`<section class="card alarms" role="alert"><h2>${V(e.length,`alarm`)}</h2><ul>${e.map(e=>_`<li>
      ${q(Nr[e.severity]??{words:e.severity,tone:`quiet`,sign:`•`})}
      ${e.message} <span class="quiet">${Zt(e.code)},
        ${B(e.triggered_at)}</span></li>`)}</ul></section>`}#o(e){let t=G.may(`admin`);return _`<section class="card"><h2>The graph is ${e.mode}</h2>
      <p>${jr[e.mode]??``} ${e.enabled?y:_`<strong class="warn">The setting recall.graph is off, so it is not used.</strong>`}</p>
      <p class="quiet">${e.updated_at?_`Set ${B(e.updated_at)} by ${e.updated_by}.`:`Never changed.`}
        Advised: <strong>${e.recommended}</strong>, ${e.rationale}.</p>
      ${t?_`<div class="row modes" role="group"
        aria-label="Mode of the graph">${Object.keys(jr).map(t=>_`<button
        aria-pressed=${t===e.mode} ?disabled=${t===e.mode||this.#t.busy} title=${jr[t]}
        @click=${()=>this.#f(t,!1)}>${t}</button>`)}</div>`:y}
      ${R(this.#t.failure)}
      ${this.wanted&&this.#t.failure!==null?_`<p><button class="danger" @click=${()=>this.#f(this.wanted,!0)}>Set
        ${this.wanted} all the same</button> <span class="quiet">This discards the evidence so
          far.</span></p>`:y}
      <h3>On the way to on</h3>
      <ol class="stages">${e.stages.map(e=>_`<li>
        ${q(e.ready?{words:`ready`,tone:`good`,sign:`✓`}:{words:`not yet`,tone:`quiet`,sign:`…`})}
        <strong>${W(e.stage)}</strong>
        <span class="quiet">${e.required_samples>0?`${e.current_samples} of ${e.required_samples} runs`:``}
          ${e.blockers.map(Zt).join(` · `)}</span></li>`)}</ol>
      <p class="quiet">${e.ready_windows} of ${e.ready_windows_wanted} ready windows in a row. A
        person sets the mode.</p>
    </section>`}#s({gate:e,goals:t,window_hours:n}){return _`<section class="card"><h2>Quality gate</h2>
      <p>${q(Mr[e.state]??{words:e.state,tone:`quiet`,sign:`•`})}
        ${e.since?_`since ${B(e.since)}`:y}
        <span class="quiet">Verdict: ${W(e.status)}${e.state===`half_open`?`, ${e.probes} of ${e.probes_wanted} probes`:``}. It judges windows of
            ${n} h that have ended.</span></p>
      ${e.reasons.length>0?_`<ul>${e.reasons.map(e=>_`<li class=${e.blocking?`bad`:`warn`}>
        ${e.blocking?`Blocks`:`Warns`}: ${Zt(e.code)} (${e.value.toFixed(3)}, limit
          ${e.limit})</li>`)}</ul>`:y}
      <div class="scroll" tabindex="0" role="region" aria-label="Goals"><table><thead><tr><th
        scope="col">Goal</th><th scope="col">Should be</th>
        <th scope="col">Is</th><th scope="col">Met</th></tr></thead>
        <tbody>${t.map(e=>_`<tr><td>${W(e.metric)}</td>
          <td>${e.comparator===`>=`?`at least`:`at most`} ${e.target}</td>
          <td>${Number(e.current.toFixed(3))}</td>
          <td>${e.ready?_`<span class="good">✓ yes</span>`:_`<span class="quiet">… no</span>`}</td></tr>`)}</tbody></table></div>
    </section>`}#c(){let e=G.status;if(!e)return y;let{counts:t}=e,n=(e,t)=>Object.keys(t).length===0?y:_`<div><h3>${e}</h3>
      <dl class="pairs">${Object.entries(t).sort((e,t)=>t[1]-e[1]).map(([e,t])=>_`<dt>${e}</dt><dd>${t.toLocaleString()}</dd>`)}</dl></div>`;return _`<section class="card"><h2>Contents</h2>
      <p>${V(t.memories,`memory`,`memories`)}, ${V(t.entities,`entity`,`entities`)},
        ${V(t.edges,`edge`)}, ${V(t.facts,`fact`)}, ${V(t.sources,`source`)};
        ${(e.bytes/1e6).toFixed(1)} MB${e.earliest&&e.latest?_`, from ${B(e.earliest)} to ${B(e.latest)}`:y}.</p>
      <p class="quiet">${t.superseded_memories} superseded, ${t.deleted_memories} forgotten,
        ${t.expired_memories}
        expired; ${t.vectors} vectors of ${e.stored_model??`no model`}${e.embedder===e.stored_model?``:_` <span class="warn">(the settings choose ${e.embedder})</span>`}.
        ${e.open_warnings>0?_`<a href=${w(`review`,{kind:`warning`})}>${V(e.open_warnings,`open warning`)}</a>`:y}
        ${Object.entries(e.unread).map(([e,t])=>`${t} not read for ${e}. `)}</p>
      <details><summary>By kind, type and origin</summary><div class="tallies">${n(`Memories`,t.memories_by_kind)}
        ${n(`Entities`,t.entities_by_type)}${n(`Edges`,t.edges_by_kind)}
        ${n(`Edges by origin`,t.edges_by_provenance)}</div></details>
    </section>`}#l(){if(!G.may(`admin`))return y;let e=this.#n.value;return _`<section class="card"><div class="row"><h2 class="grow">Soundness</h2>
        <button ?disabled=${this.#n.busy} @click=${()=>this.#n.ask(e=>M.client.doctor({},{signal:e,timeoutMs:3e5}))}>${this.#n.busy?`Checking…`:`Check the workspace`}</button></div>
      ${R(this.#n.failure)}
      <div role="status">${e?_`
        <p>${q(e.sound?{words:`sound`,tone:`good`,sign:`✓`}:{words:`not sound`,tone:`bad`,sign:`✕`})}</p>
        <ul>${e.problems.map(e=>_`<li class="bad">${e}</li>`)}
          ${e.checked.map(e=>_`<li class="quiet">Checked: ${e}</li>`)}</ul>
        ${e.sound?y:_`<p class="quiet"><code>griot doctor --repair</code> mends what can be
          mended.</p>`}`:y}</div>
    </section>`}#u(){let e=this.#r.value;return _`<section class="card"><h2>Language models, the last ${Pr} days</h2>
      ${R(this.#r.failure)}
      ${e?e.rows.length===0?_`<p class="quiet">No language model was asked.</p>`:_`
        <p>${V(e.total.calls,`request`)}, ${V(e.total.kept,`kept reply`,`kept replies`)},
          ${V(e.total.input_tokens,`token`)} sent, ${V(e.total.output_tokens,`token`)} received${e.total.cost===null?``:`, cost ${e.total.cost.toFixed(4)}`}.</p>
        ${Br(Ir(e.rows,Date.now()))}
        <div class="scroll" tabindex="0" role="region" aria-label="Usage"><table><thead><tr>${[`Day`,`For`,`Model`,`Requests`,`Failed`,`Kept`,`Sent`,`Received`,`Cost`].map(e=>_`<th scope="col">${e}</th>`)}</tr></thead>
          <tbody>${e.rows.map(e=>_`<tr><td>${z(e.day)}</td><td>${W(e.purpose)}</td><td>${e.model}
            <span class="quiet">${e.provider}</span></td><td>${e.calls}</td>
            <td>${e.failed}${e.unfinished>0?_` <span class="warn">${e.unfinished}
              unfinished</span>`:y}</td>
            <td>${e.kept}</td>
            <td>${e.input_tokens.toLocaleString()}</td><td>${e.output_tokens.toLocaleString()}</td>
            <td>${e.cost===null?`–`:e.cost.toFixed(4)}</td></tr>`)}</tbody></table></div>`:y}
      ${e?this.#d(e):y}
    </section>`}#d({today:e}){let t=[e.calls_left===null?null:V(e.calls_left,`request`),e.tokens_left===null?null:V(e.tokens_left,`token`),e.cost_left===null?null:`${e.cost_left.toFixed(2)} of money`].filter(e=>e!==null);return t.length===0?y:_`<p class="quiet">Left today: ${t.join(`, `)}.</p>`}async#f(e,t){this.wanted=e,await this.#t.send(n=>M.client.setRollout({mode:e,...t?{force:t}:{}},{signal:n})),this.#t.failure===null&&(this.wanted=null,this.#e.value=this.#t.value,this.requestUpdate())}};function Rr(e){let t=(e,t)=>e.requests===0?`–`:H(t),n=e=>e===null?`–`:`${e.toFixed(1)} ms`,r=(e,t)=>e+t===0?`–`:`${e} ▲ ${t} ▼`;return _`<section class="card"><h2>Windows</h2>
    ${e.windows.length===0?_`<p class="quiet">No question was counted yet.</p>`:_`
    <div class="scroll" tabindex="0" role="region" aria-label="Windows"><table class="windows"><thead>
      <tr><th scope="col" rowspan="2">From</th><th scope="col" rowspan="2">Questions</th><th scope="col"
        rowspan="2">By the graph</th>
        <th scope="col" rowspan="2">In shadow</th><th scope="col" rowspan="2">Failed</th><th scope="col"
          rowspan="2">Contributed</th>
        <th scope="col" rowspan="2">Overlap</th><th scope="colgroup" colspan="2">Time of an answer</th>
        <th scope="colgroup" colspan="2">Feedback</th><th scope="col" rowspan="2">Gain (nDCG@10)</th></tr>
      <tr><th scope="col">without</th><th scope="col">with</th><th scope="col">without</th><th
        scope="col">with</th></tr></thead>
      <tbody>${e.windows.map(e=>_`<tr><td>${B(e.start)}${e.closed?``:_`
        <span class="chip">open</span>`}</td>
        <td>${e.requests}</td><td>${e.hybrid_applied}${e.held>0?_`
          <span class="quiet">${e.held} held</span>`:y}</td>
        <td>${e.shadow_executions}</td>
        <td class=${e.error_rate>0?`bad`:``}>${t(e,e.error_rate)}</td><td>${t(e,e.coverage)}</td>
        <td>${e.overlap===null?`–`:H(e.overlap)}</td>
        <td>${n(e.baseline_ms)}</td><td>${n(e.graph_ms)}</td>
        <td>${r(e.good_baseline,e.bad_baseline)}</td><td>${r(e.good_graph,e.bad_graph)}</td>
        <td>${e.relevance_gain===null?`–`:`${e.relevance_gain>=0?`+`:``}${e.relevance_gain.toFixed(3)} (${e.judged})`}</td></tr>`)}</tbody></table></div>`}
  </section>`}function zr({incidents:e}){return e.length===0?y:_`<details class="card"><summary>${V(e.length,`failure`)} of the graph</summary><ul>${e.map(e=>_`<li>
    ${B(e.at)} ${W(e.reason)}${e.shadow?` (in shadow)`:``}: ${e.message}</li>`)}</ul></details>`}function Br(e){let t=Math.max(1,...e.map(e=>e.calls)),n=100/Math.max(1,e.length);return _`<svg class="chart" viewBox="0 0 100 24" preserveAspectRatio="none"
    aria-hidden="true">${e.map((e,r)=>Oe`
    <rect x=${r*n+n*.1} y=${24-e.calls/t*24} width=${n*.8}
      height=${e.calls/t*24}>
      <title>${z(e.day)}: ${e.calls}</title></rect>`)}</svg>`}customElements.define(`griot-health`,Lr);var Vr={explore:{title:`Explore`,show:()=>_`<griot-explorer></griot-explorer>`},ask:{title:`Ask`,show:()=>_`<griot-ask></griot-ask>`},sources:{title:`Sources`,show:()=>_`<griot-sources></griot-sources>`},review:{title:`Review`,show:()=>_`<griot-review></griot-review>`},health:{title:`Health`,show:()=>_`<griot-health></griot-health>`}},Hr=class extends E{static{this.properties={state:{state:!0},why:{state:!0}}}constructor(){super(),this.state=`connecting`,this.why=``,D(this,window,`hashchange`,()=>this.requestUpdate()),D(this,M,`connected`,()=>void this.#e()),D(this,M,`failed`,e=>this.#t(e.detail)),D(this,M,`changed`,()=>this.state=`ready`),this.#e()}async#e(){try{await M.client.status(),this.state=`ready`,M.watch()}catch(e){this.#t(e)}}#t(e){let t=e.kind;this.why=e instanceof Error?e.message:String(e),t===`unauthenticated`||t===`forbidden`?this.state=`key`:(this.state=`away`,setTimeout(()=>void this.#e(),2e3))}render(){let e=Vr[C().page]?C().page:`explore`;return _`
      <header class="bar">
        <a class="brand" href=${w(`explore`)}>Griot</a>
        <nav aria-label="Pages">
          ${Object.entries(Vr).map(([t,{title:n}])=>_`<a href=${w(t)} aria-current=${t===e?`page`:y}>${n}</a>`)}
        </nav>
        <span class="state" role="status">${this.state===`away`?`The server does not answer. Trying again…`:y}</span>
      </header>
      <main class=${`page page-${e}`}>
        ${this.state===`key`?this.#n():this.state===`connecting`?y:Vr[e].show()}
      </main>
    `}#n(){return _`
      <form class="card narrow" @submit=${e=>{e.preventDefault();let t=new FormData(e.target);M.use(String(t.get(`key`)).trim(),String(t.get(`workspace`)).trim())}}>
        <h1>This server asks for a key</h1>
        <p class="quiet">${this.why}</p>
        <label>Key <input name="key" type="password" autocomplete="off" required></label>
        <label>Workspace <input name="workspace" value=${M.workspace} placeholder="the one of the key"></label>
        <p class="quiet">The key is kept until this tab is closed. <code>griot key create</code> makes one.</p>
        <button class="primary">Open</button>
      </form>
    `}};customElements.define(`griot-page`,Hr);